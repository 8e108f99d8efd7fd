// SPDX-License-Identifier: GPL-3.0-or-later
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The peer: one line in, one line out; see redisson_peer.h. Run from source, the class path given. */
public final class RedissonBench {
    private static final long PAUSE_NANOS = 5_000_000; // until a waiter is surely waiting
    private static String url;
    private static long watchdogMs;
    private static RedissonClient shared;

    public static void main(String[] arguments) throws Exception {
        url = arguments[0];
        watchdogMs = Long.parseLong(arguments[1]);
        shared = connect();
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(line.split(" ")));
        }
        System.exit(0);
    }

    private static String answer(String[] words) {
        try {
            switch (words[0]) {
            case "pairs":
                return pairs(Integer.parseInt(words[1]), words[2].equals("one"), Long.parseLong(words[3]),
                    Long.parseLong(words[4]));
            case "handover":
                return handOver(Integer.parseInt(words[1]));
            case "watchdogs":
                return watchdogs(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            default:
                return "error unknown command";
            }
        } catch (Exception problem) {
            return "error " + problem;
        }
    }

    private static RedissonClient connect() {
        Config config = new Config();
        config.setLockWatchdogTimeout(watchdogMs);
        config.useSingleServer().setAddress(url);
        return Redisson.create(config);
    }

    /** Threads of one client, as an application has them. */
    private static String pairs(int threads, boolean oneLock, long warmUpMs, long measuredMs) throws Exception {
        AtomicLong pairs = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            RLock lock = shared.getLock(oneLock ? "bench:lock" : "bench:lock:" + (i + 1));
            all.add(new Thread(() -> {
                try {
                    while (!stop.get()) {
                        lock.lock();
                        lock.unlock();
                        pairs.incrementAndGet();
                    }
                } catch (Throwable problem) {
                    failure.set(problem);
                }
            }));
        }
        all.forEach(Thread::start);
        Thread.sleep(warmUpMs);
        long begin = System.nanoTime();
        long before = pairs.get();
        Thread.sleep(measuredMs);
        double rate = (pairs.get() - before) * 1e9 / (System.nanoTime() - begin);
        stop.set(true);
        for (Thread thread : all) {
            thread.join();
        }
        return failure.get() == null ? "ok " + rate : "error " + failure.get();
    }

    /** Microseconds from just before unlock() to the return of the other client's lock(). */
    private static String handOver(int times) throws Exception {
        RedissonClient second = connect();
        RLock held = shared.getLock("bench:handover");
        RLock wanted = second.getLock("bench:handover");
        Semaphore begin = new Semaphore(0);
        Semaphore got = new Semaphore(0);
        AtomicLong gotAt = new AtomicLong();
        Thread waiter = new Thread(() -> {
            for (int i = 0; i < times; i++) {
                begin.acquireUninterruptibly();
                wanted.lock();
                gotAt.set(System.nanoTime());
                wanted.unlock();
                got.release();
            }
        });
        waiter.start();
        StringBuilder answer = new StringBuilder("ok");
        for (int i = 0; i < times; i++) {
            held.lock();
            begin.release();
            LockSupport.parkNanos(PAUSE_NANOS);
            long unlockedAt = System.nanoTime();
            held.unlock();
            got.acquireUninterruptibly();
            answer.append(' ').append((gotAt.get() - unlockedAt) / 1000.0);
        }
        waiter.join();
        second.shutdown();
        return answer.toString();
    }

    /** CPU seconds of this process while it holds so many locks without a lease. */
    private static String watchdogs(int locks, long measuredMs) throws Exception {
        RedissonClient client = connect();
        List<RLock> held = new ArrayList<>();
        for (int i = 0; i < locks; i++) {
            RLock lock = client.getLock("bench:held:" + i);
            lock.lock();
            held.add(lock);
        }
        Thread.sleep(watchdogMs / 6); // between two renewals
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long begin = system.getProcessCpuTime();
        long began = System.nanoTime();
        Thread.sleep(measuredMs);
        double share = (system.getProcessCpuTime() - begin) * 100.0 / (System.nanoTime() - began);
        client.shutdown(); // its locks run out
        return "ok " + share;
    }
}
