// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Locks of all kinds: {@code lock THREAD KIND NAME LEASE WAIT}, and what can be asked of one. */
final class Locks {
    private final RedissonClient redisson;
    private final NewerKinds newer;

    Locks(RedissonClient redisson) {
        this.redisson = redisson;
        newer = new NewerKinds(redisson);
    }

    /** Null: not a command about locks. */
    Step step(Arguments arguments) {
        return switch (arguments.command()) {
            case "thread" -> () -> "ok " + Thread.currentThread().getId();
            case "lock" -> () -> acquire(arguments);
            case "unlock" -> () -> {
                lock(arguments).unlock();
                return "ok";
            };
            case "force" -> () -> "ok " + lock(arguments).forceUnlock();
            case "holds" -> () -> "ok " + lock(arguments).getHoldCount();
            case "locked" -> () -> "ok " + lock(arguments).isLocked();
            default -> null;
        };
    }

    private RLock lock(Arguments arguments) {
        return lock(arguments.word(0), arguments.word(1));
    }

    RLock lock(String kind, String name) {
        return switch (kind) {
            case "reentrant" -> redisson.getLock(name);
            case "fair" -> redisson.getFairLock(name);
            case "read" -> redisson.getReadWriteLock(name).readLock();
            case "write" -> redisson.getReadWriteLock(name).writeLock();
            case "spin" -> redisson.getSpinLock(name);
            case "multi" -> redisson.getMultiLock(
                Arrays.stream(name.split(",")).map(redisson::getLock).toArray(RLock[]::new));
            default -> newer.lock(kind, name);
        };
    }

    private String acquire(Arguments arguments) throws InterruptedException {
        RLock lock = lock(arguments);
        long lease = arguments.number(2);
        long wait = arguments.number(3);
        if (arguments.word(0).equals("fenced")) {
            return newer.acquireFenced(lock, lease, wait);
        }
        return take(lock, lease, wait) ? "acquired" : "refused";
    }

    static boolean take(RLock lock, long lease, long wait) throws InterruptedException {
        if (wait != Arguments.ABSENT) {
            if (lease == Arguments.ABSENT) {
                return wait == 0 ? lock.tryLock() : lock.tryLock(wait, TimeUnit.MILLISECONDS);
            }
            return lock.tryLock(wait, lease, TimeUnit.MILLISECONDS);
        }
        if (lease == Arguments.ABSENT) {
            lock.lockInterruptibly();
        } else {
            lock.lockInterruptibly(lease, TimeUnit.MILLISECONDS);
        }
        return true;
    }
}
