// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;

/** Locks that came after 3.16.8. */
final class NewerKinds {
    static final RScript.ReturnType LIST = RScript.ReturnType.LIST;

    private final RedissonClient redisson;

    NewerKinds(RedissonClient redisson) {
        this.redisson = redisson;
    }

    RLock lock(String kind, String name) {
        return switch (kind) {
            case "fenced" -> redisson.getFencedLock(name);
            case "nonReentrant" -> redisson.getNonReentrantLock(name);
            case "nonReentrantFair" -> redisson.getNonReentrantFairLock(name);
            case "fasterMulti" -> {
                String[] groupAndValues = name.split("/");
                yield redisson.getMultiLock(groupAndValues[0], List.of((Object[]) groupAndValues[1].split(",")));
            }
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /**
     * With a token where that works: the blocking form ignores its lease and interrupts, and the try without a wait never
     * returns when the lock is held (Redisson 4.7.0).
     */
    String acquireFenced(RLock lock, long lease, long wait) throws InterruptedException {
        RFencedLock fenced = (RFencedLock) lock;
        Long token = null;
        if (wait > 0) {
            token = fenced.tryLockAndGetToken(wait, lease, TimeUnit.MILLISECONDS);
        } else if (Locks.take(fenced, lease, wait)) {
            token = fenced.getToken();
        }
        return token == null ? "refused" : "acquired " + token;
    }
}
