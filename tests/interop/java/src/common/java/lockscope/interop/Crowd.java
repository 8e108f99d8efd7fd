// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.api.RLock;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Many workers that take locks of one kind again and again, and look inside whether they are alone:
 * {@code crowd - KIND NAME,… WORKERS SHORTEST-LEASE LONGEST-LEASE WAIT}; see cpp/crowd.h.
 */
final class Crowd implements Gathering {
    private static final String ENTER =
        "return {redis.call('GETSET', KEYS[1], ARGV[1]) or '', redis.call('GET', KEYS[2]) or '0'}";
    private static final String COUNT = "redis.call('SET', KEYS[1], ARGV[1]) redis.call('INCR', KEYS[2]) "
        + "local mark = redis.call('GET', KEYS[3]) redis.call('DEL', KEYS[3]) return mark or ''";
    private static final String LOOK = "return {redis.call('GET', KEYS[1]) or '', redis.call('GET', KEYS[2]) or '0'}";

    private final RedissonClient redisson;
    private final Locks locks;
    private final String kind;
    private final String[] names;
    private final int workers;
    private final long shortestLease;
    private final long longestLease;
    private final long wait;
    private final AtomicLong sections = new AtomicLong();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Crowd(RedissonClient redisson, Locks locks, Arguments plan) {
        this.redisson = redisson;
        this.locks = locks;
        kind = plan.word(0);
        names = plan.list(1);
        workers = (int) plan.number(2);
        shortestLease = plan.number(3);
        longestLease = plan.number(4);
        wait = plan.number(5);
    }

    @Override
    public void stop() {
        stopping = true;
    }

    @Override
    public String run() throws InterruptedException {
        Thread[] threads = new Thread[workers];
        for (int i = 0; i < workers; i++) {
            threads[i] = new Thread(this::work);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return "ok " + sections.get();
    }

    private void work() {
        Random random = ThreadLocalRandom.current();
        while (!stopping) {
            try {
                takeOnce(random);
            } catch (Throwable e) {
                Peer.say("event error " + e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
    }

    private void takeOnce(Random random) throws InterruptedException {
        String name = names[random.nextInt(names.length)];
        boolean writes = !kind.equals("readWrite") || random.nextInt(4) == 0;
        RLock lock = locks.lock(!kind.equals("readWrite") ? kind : writes ? "write" : "read", name);
        long lease = random.nextInt(3) == 0 ? Arguments.ABSENT
            : shortestLease + random.nextInt((int) (longestLease - shortestLease + 1));
        if (!Locks.take(lock, lease, wait)) {
            return;
        }
        long entered = System.nanoTime();
        try {
            String mark = redisson.getId() + ':' + Thread.currentThread().getId() + ':' + sections.incrementAndGet();
            if (writes) {
                write(name, mark);
            } else {
                read(name, mark);
            }
        } finally {
            long inside = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - entered);
            if (2 * inside > (lease == Arguments.ABSENT ? shortestLease : lease)) {
                Peer.say("event late " + inside);
            }
            lock.unlock();
        }
    }

    private void write(String name, String mark) {
        List<Object> found = script(NewerKinds.LIST, ENTER, List.of("mark:" + name, "counter:" + name), mark);
        if (!found.get(0).equals("")) {
            overlap(found.get(0), mark);
        }
        long next = Long.parseLong(found.get(1).toString()) + 1;
        String still = script(RScript.ReturnType.VALUE, COUNT,
            List.of("counter:" + name, "done:" + name, "mark:" + name), String.valueOf(next));
        if (!still.equals(mark)) {
            overlap(still, mark);
        }
    }

    private void read(String name, String mark) {
        List<Object> before = look(name);
        List<Object> after = look(name);
        redisson.getAtomicLong("reads:" + name).incrementAndGet();
        for (Object whose : new Object[] { before.get(0), after.get(0) }) {
            if (!whose.equals("")) {
                overlap(whose, mark);
            }
        }
        if (!before.get(1).equals(after.get(1))) {
            Peer.say("event overlap counter " + mark);
        }
    }

    private List<Object> look(String name) {
        return script(NewerKinds.LIST, LOOK, List.of("mark:" + name, "counter:" + name));
    }

    private <R> R script(RScript.ReturnType type, String text, List<Object> keys, Object... values) {
        return redisson.getScript(StringCodec.INSTANCE).eval(RScript.Mode.READ_WRITE, text, type, keys, values);
    }

    /** A mark once: one that a killed process left behind would be told again by each reader. */
    private void overlap(Object whose, String mark) {
        if (told.add(whose.toString())) {
            Peer.say("event overlap " + whose + ' ' + mark);
        }
    }
}
