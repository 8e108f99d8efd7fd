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

    /** The blocking form ignores its lease: a try with a wait for ever does not. */
    String acquireFenced(RLock lock, long lease, long wait) throws InterruptedException {
        RFencedLock fenced = (RFencedLock) lock;
        Long token;
        if (wait == Arguments.ABSENT && lease == Arguments.ABSENT) {
            token = fenced.lockAndGetToken();
        } else if (wait == 0 && lease == Arguments.ABSENT) {
            token = fenced.tryLockAndGetToken();
        } else {
            long limit = wait == Arguments.ABSENT ? TimeUnit.DAYS.toMillis(1) : wait;
            token = fenced.tryLockAndGetToken(limit, lease, TimeUnit.MILLISECONDS);
        }
        return token == null ? "refused" : "acquired " + token;
    }
}
