// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import org.redisson.api.RLock;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;

/** Redisson 3.16.8 has none of them. */
final class NewerKinds {
    /** It has got another name since. */
    static final RScript.ReturnType LIST = RScript.ReturnType.MULTI;

    NewerKinds(RedissonClient redisson) {
    }

    RLock lock(String kind, String name) {
        throw new UnsupportedOperationException(kind);
    }

    String acquireFenced(RLock lock, long lease, long wait) {
        throw new UnsupportedOperationException("fenced");
    }
}
