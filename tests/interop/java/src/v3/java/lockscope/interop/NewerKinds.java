// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Redisson 3.16.8 has none of them. */
final class NewerKinds {
    NewerKinds(RedissonClient redisson) {
    }

    RLock lock(String kind, String name) {
        throw new UnsupportedOperationException(kind);
    }

    String acquireFenced(RLock lock, long lease, long wait) {
        throw new UnsupportedOperationException("fenced");
    }
}
