// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.api.RLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;

/**
 * Workers that use locks as programs do, and tell of it: {@code work - NAME,… WORKERS LONGEST-SECTION SEED}. The name of a
 * lock begins with its kind: {@code fair:3}. Events, in microseconds since 1970: {@code took AT NAME OWNER},
 * {@code gave AT NAME OWNER}, {@code lost AT NAME OWNER}, {@code forced AT NAME}.
 */
final class Work implements Gathering {
    private static final int SHORTEST_LEASE = 400;

    private final RedissonClient redisson;
    private final Locks locks;
    private final String[] names;
    private final int workers;
    private final long longestSection;
    private final long seed;
    private final AtomicLong sections = new AtomicLong();
    private volatile boolean stopping;

    Work(RedissonClient redisson, Locks locks, Arguments plan) {
        this.redisson = redisson;
        this.locks = locks;
        names = plan.list(0);
        workers = (int) plan.number(1);
        longestSection = plan.number(2);
        seed = plan.number(3);
    }

    @Override
    public void stop() {
        stopping = true;
    }

    @Override
    public String run() throws InterruptedException {
        Thread[] threads = new Thread[workers];
        for (int i = 0; i < workers; i++) {
            Random random = new Random(seed * 1_000 + i);
            threads[i] = new Thread(() -> work(random));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return "ok " + sections.get();
    }

    private void work(Random random) {
        String name = names[random.nextInt(names.length)];
        while (!stopping) {
            try {
                once(random, name);
                if (random.nextInt(12) != 0) { // else the same one takes the same lock again, at once
                    name = names[random.nextInt(names.length)];
                    Thread.sleep(random.nextInt(120));
                }
            } catch (Throwable e) {
                Peer.say("event error " + e.getClass().getSimpleName() + " "
                    + String.valueOf(e.getMessage()).replace('\n', ' '));
            }
        }
    }

    private void once(Random random, String name) throws InterruptedException {
        String kind = name.substring(0, name.indexOf(':'));
        if (kind.equals("semaphore")) {
            permit(random, name);
        } else if (kind.equals("readWrite")) {
            readOrWrite(random, name);
        } else {
            hold(random, locks.lock(kind, name), name);
        }
    }

    /** From 1 ms on, mostly short: each tenfold length is as likely as the one before. */
    private long section(Random random) {
        return Math.round(Math.exp(random.nextDouble() * Math.log(longestSection)));
    }

    private static void stay(long section) throws InterruptedException {
        Thread.sleep(section);
    }

    private boolean take(Random random, RLock lock, String name, long lease) throws InterruptedException {
        long wait = random.nextBoolean() ? Arguments.ABSENT : random.nextInt(1_500);
        if (!Locks.take(lock, lease, wait)) {
            return false;
        }
        tell("took", name);
        return true;
    }

    /** False: it is not ours any more. */
    private boolean give(RLock lock, String name) {
        long before = now();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            tell("lost", before, name);
            return false;
        }
        tell("gave", before, name);
        return true;
    }

    private void hold(Random random, RLock lock, String name) throws InterruptedException {
        long section = section(random);
        boolean outlived = random.nextInt(60) == 0;
        long lease = outlived ? SHORTEST_LEASE
            : random.nextInt(3) == 0 ? Math.max(3 * section, 10 * SHORTEST_LEASE) : Arguments.ABSENT;
        if (!take(random, lock, name, lease)) {
            return;
        }
        sections.incrementAndGet();
        stay(outlived ? SHORTEST_LEASE + 200 : section);
        boolean ours = true;
        if (random.nextInt(6) == 0 && !outlived && take(random, lock, name, lease)) {
            stay(1 + random.nextInt(30));
            ours = give(lock, name);
            stay(1 + random.nextInt(30));
        }
        if (ours) {
            give(lock, name);
        }
    }

    /** A writer goes on as a reader now and then. */
    private void readOrWrite(Random random, String name) throws InterruptedException {
        boolean writes = random.nextInt(3) == 0;
        RLock lock = locks.lock(writes ? "write" : "read", name);
        if (!writes || random.nextInt(4) != 0) {
            hold(random, lock, name);
            return;
        }
        if (!take(random, lock, name, Arguments.ABSENT)) {
            return;
        }
        stay(section(random));
        RLock reader = locks.lock("read", name);
        boolean reads = take(random, reader, name, Arguments.ABSENT);
        stay(1 + random.nextInt(10));
        give(lock, name);
        if (reads) {
            stay(section(random));
            give(reader, name);
        }
    }

    private void permit(Random random, String name) throws InterruptedException {
        RSemaphore semaphore = redisson.getSemaphore(name);
        if (semaphore.tryAcquire(1, random.nextInt(500), TimeUnit.MILLISECONDS)) {
            stay(section(random));
            semaphore.release();
        }
    }

    private void tell(String what, String name) {
        tell(what, now(), name);
    }

    private void tell(String what, long at, String name) {
        Peer.say("event " + what + ' ' + at + ' ' + name + ' ' + redisson.getId() + ':' + Thread.currentThread().getId());
    }

    private static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
