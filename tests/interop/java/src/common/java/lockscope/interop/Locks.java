// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Locks of all kinds: {@code lock THREAD KIND NAME LEASE WAIT}, and what can be asked of one. */
final class Locks {
    private final List<RedissonClient> servers;
    private final RedissonClient redisson;
    private final NewerKinds newer;
    private final Map<String, Held> held = new ConcurrentHashMap<>();

    /** A lock object remembers the lease that it was last given: each thread keeps its own from first to last hold. */
    private static final class Held {
        private final RLock lock;
        private int count;

        Held(RLock lock) {
            this.lock = lock;
        }
    }

    Locks(List<RedissonClient> servers) {
        this.servers = servers;
        redisson = servers.get(0);
        newer = new NewerKinds(redisson);
    }

    /** Null: not a command about locks. */
    Step step(Arguments arguments) {
        return switch (arguments.command()) {
            case "thread" -> () -> "ok " + Thread.currentThread().getId();
            case "lock" -> () -> acquire(arguments);
            case "unlock" -> () -> release(arguments);
            case "force" -> () -> "ok " + lock(arguments).forceUnlock();
            case "holds" -> () -> "ok " + lock(arguments).getHoldCount();
            case "locked" -> () -> "ok " + lock(arguments).isLocked();
            default -> null;
        };
    }

    private RLock lock(Arguments arguments) {
        Held held = this.held.get(key(arguments));
        return held != null ? held.lock : lock(arguments.word(0), arguments.word(1));
    }

    private static String key(Arguments arguments) {
        return arguments.thread() + ' ' + arguments.word(0) + ' ' + arguments.word(1);
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
            case "red" -> new RedissonRedLock(servers.stream().map(s -> s.getLock(name)).toArray(RLock[]::new));
            default -> newer.lock(kind, name);
        };
    }

    private String acquire(Arguments arguments) throws InterruptedException {
        RLock lock = lock(arguments);
        long lease = arguments.number(2);
        long wait = arguments.number(3);
        String outcome;
        if (arguments.word(0).equals("fenced")) {
            outcome = newer.acquireFenced(lock, lease, wait);
        } else {
            outcome = take(lock, lease, wait) ? "acquired" : "refused";
        }
        if (outcome.startsWith("acquired")) {
            held.computeIfAbsent(key(arguments), k -> new Held(lock)).count++;
        }
        return outcome;
    }

    private String release(Arguments arguments) {
        try {
            lock(arguments).unlock();
        } catch (IllegalMonitorStateException e) {
            held.remove(key(arguments));
            throw e;
        }
        held.computeIfPresent(key(arguments), (k, h) -> --h.count == 0 ? null : h);
        return "ok";
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
