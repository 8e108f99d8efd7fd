// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;

/** Semaphores, permits with an id, and latches: {@code sem.acquire THREAD NAME COUNT WAIT} and so on. */
final class Permits {
    private final RedissonClient redisson;
    private final NewerPermits newer;

    Permits(RedissonClient redisson) {
        this.redisson = redisson;
        newer = new NewerPermits();
    }

    /** Null: not a command about these. */
    Step step(Arguments arguments) {
        String[] parts = arguments.command().split("\\.");
        return switch (parts[0]) {
            case "sem" -> () -> semaphore(parts[1], arguments);
            case "permit" -> () -> permit(parts[1], arguments);
            case "latch" -> () -> latch(parts[1], arguments);
            default -> null;
        };
    }

    private String semaphore(String verb, Arguments arguments) throws InterruptedException {
        RSemaphore semaphore = redisson.getSemaphore(arguments.word(0));
        return switch (verb) {
            case "set" -> "ok " + semaphore.trySetPermits(count(arguments));
            case "acquire" -> acquire(semaphore, count(arguments), arguments.number(2)) ? "acquired" : "refused";
            case "release" -> {
                semaphore.release(count(arguments));
                yield "ok";
            }
            case "releaseIfExists" -> "ok " + newer.releaseIfExists(semaphore, count(arguments));
            case "add" -> {
                semaphore.addPermits(count(arguments));
                yield "ok";
            }
            case "drain" -> "ok " + semaphore.drainPermits();
            case "available" -> "ok " + semaphore.availablePermits();
            case "delete" -> "ok " + semaphore.delete();
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private static boolean acquire(RSemaphore semaphore, int permits, long wait) throws InterruptedException {
        if (wait == Arguments.ABSENT) {
            semaphore.acquire(permits);
            return true;
        }
        return wait == 0 ? semaphore.tryAcquire(permits) : semaphore.tryAcquire(permits, wait, TimeUnit.MILLISECONDS);
    }

    private String permit(String verb, Arguments arguments) throws InterruptedException {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(arguments.word(0));
        return switch (verb) {
            case "set" -> "ok " + semaphore.trySetPermits(count(arguments));
            case "acquire" -> newer.acquire(semaphore, count(arguments), arguments.number(2), arguments.number(3));
            case "release" -> "ok " + newer.release(semaphore, arguments.list(1));
            case "add" -> {
                semaphore.addPermits(count(arguments));
                yield "ok";
            }
            case "resize" -> newer.resize(semaphore, count(arguments));
            case "available" -> "ok " + semaphore.availablePermits();
            case "lease" -> "ok " + semaphore.updateLeaseTime(
                arguments.word(1), arguments.number(2), TimeUnit.MILLISECONDS);
            case "delete" -> "ok " + semaphore.delete();
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private String latch(String verb, Arguments arguments) throws InterruptedException {
        RCountDownLatch latch = redisson.getCountDownLatch(arguments.word(0));
        return switch (verb) {
            case "set" -> "ok " + latch.trySetCount(count(arguments));
            case "down" -> {
                latch.countDown();
                yield "ok";
            }
            case "wait" -> await(latch, arguments.number(1)) ? "acquired" : "refused";
            case "count" -> "ok " + latch.getCount();
            case "delete" -> "ok " + latch.delete();
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private static boolean await(RCountDownLatch latch, long wait) throws InterruptedException {
        if (wait != Arguments.ABSENT) {
            return latch.await(wait, TimeUnit.MILLISECONDS);
        }
        latch.await();
        return true;
    }

    private static int count(Arguments arguments) {
        return Math.toIntExact(arguments.number(1));
    }
}
