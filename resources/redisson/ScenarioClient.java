// SPDX-License-Identifier: GPL-3.0-or-later
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/**
 * A client of a scenario that is a real Redisson, from 3.16.8 on: does what lines of JSON on its standard input say, and
 * answers on its standard output, as app/lab/client_protocol.h has it. Each thread of the scenario is a thread here that
 * calls what a program calls, and blocks in it. At the end of the input all ends as in a crash.
 *
 * <p>Arguments: single|sentinel|cluster|nodes URL[,URL] WATCHDOG-MS FAIR-WAIT-MS [MASTER]. Run from its source.
 */
public final class ScenarioClient {
    private static final PrintStream ANSWERS = System.out;
    private static final long DEFAULT_FAIR_WAIT = 300_000;

    private final List<RedissonClient> servers;
    private final RedissonClient redisson;
    private final Map<String, Worker> workers = new HashMap<>();
    private final Map<String, Deque<String>> permits = new ConcurrentHashMap<>();

    private ScenarioClient(List<RedissonClient> servers) {
        this.servers = servers;
        redisson = servers.get(0);
    }

    public static void main(String[] arguments) throws Exception {
        System.setOut(System.err); // whatever a library has to say
        try {
            ScenarioClient client = new ScenarioClient(connect(arguments));
            tell("news", "ready", "client", client.redisson.getId());
            client.read();
        } catch (Exception problem) {
            System.err.println("Redisson: " + problem.getMessage());
            Runtime.getRuntime().halt(3);
        }
        Runtime.getRuntime().halt(0);
    }

    // ------------------------------------------------------------------------------------------- connecting

    private static List<RedissonClient> connect(String[] arguments) throws Exception {
        String[] urls = arguments[1].split(",");
        if (arguments[0].equals("nodes")) {
            List<RedissonClient> clients = new ArrayList<>();
            for (String url : urls) {
                Config config = config(arguments);
                // One that does not answer is to be noticed soon: others are asked after it.
                single(config, url).setRetryAttempts(0).setTimeout(1_000);
                clients.add(Redisson.create(config));
            }
            return clients;
        }
        Config config = config(arguments);
        if (arguments[0].equals("cluster")) {
            config.useClusterServers().addNodeAddress(urls)
                .setMasterConnectionMinimumIdleSize(1).setSubscriptionConnectionMinimumIdleSize(1);
        } else if (arguments[0].equals("sentinel")) {
            config.useSentinelServers().addSentinelAddress(urls).setMasterName(arguments[4])
                .setCheckSentinelsList(false)
                .setMasterConnectionMinimumIdleSize(1).setSlaveConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        } else {
            single(config, urls[0]);
        }
        return List.of(Redisson.create(config));
    }

    private static SingleServerConfig single(Config config, String url) {
        return config.useSingleServer().setAddress(url)
            .setConnectionMinimumIdleSize(1).setSubscriptionConnectionMinimumIdleSize(1);
    }

    private static Config config(String[] arguments) throws Exception {
        Config config = new Config();
        config.setThreads(4);
        config.setNettyThreads(4);
        config.setLockWatchdogTimeout(Long.parseLong(arguments[2]));
        long fairWait = Long.parseLong(arguments[3]);
        if (fairWait != DEFAULT_FAIR_WAIT) {
            try {
                Config.class.getMethod("setFairLockWaitTimeout", long.class).invoke(config, fairWait);
            } catch (NoSuchMethodException missing) {
                throw new UnsupportedOperationException("this version has no fairLockWaitTimeout");
            }
        }
        return config;
    }

    // --------------------------------------------------------------------------------------------- orders

    private void read() throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Order order = new Order(new Json(line).object());
            workers.computeIfAbsent(order.thread, Worker::new).orders.add(order);
        }
    }

    /** One of a client's orders. */
    private static final class Order {
        private final Map<String, Object> members;
        private final long since = System.nanoTime();
        private final String thread;

        Order(Map<String, Object> members) {
            this.members = members;
            thread = text("thread");
        }

        String text(String name) {
            Object value = members.get(name);
            return value == null ? "" : value.toString();
        }

        boolean has(String name) {
            return members.containsKey(name);
        }

        /** Milliseconds; -1: there is no such member. */
        long millis(String name) {
            String text = text(name);
            return text.isEmpty() ? -1 : Long.parseLong(text.substring(0, text.length() - "ms".length()));
        }

        int count() {
            return Math.toIntExact((Long) members.get("count"));
        }

        List<?> locks() {
            return has("locks") ? (List<?>) members.get("locks") : List.of(text("lock"));
        }
    }

    /** A thread of the scenario: to Redisson its number is the one that the scenario has for it. */
    private final class Worker extends Thread {
        private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
        private final long number;
        private final Map<String, Held> held = new HashMap<>();

        Worker(String number) {
            this.number = Long.parseLong(number);
            setDaemon(true);
            start();
        }

        @Override
        public long getId() {
            return number;
        }

        @Override
        public void run() {
            while (true) {
                try {
                    Order order = orders.take();
                    try {
                        carryOut(order);
                    } catch (Exception problem) {
                        fail(order, problem);
                    }
                } catch (InterruptedException over) {
                    return;
                }
            }
        }

        private void carryOut(Order order) throws Exception {
            String name = order.text("lock");
            switch (order.text("do")) {
                case "lock":
                    lock(order, name);
                    break;
                case "unlock":
                    unlock(order, name);
                    break;
                case "setPermits":
                    answer(order, isExpirable(order) ? redisson.getPermitExpirableSemaphore(name)
                        .trySetPermits(order.count()) : redisson.getSemaphore(name).trySetPermits(order.count()));
                    break;
                case "setCount":
                    answer(order, redisson.getCountDownLatch(name).trySetCount(order.count()));
                    break;
                case "countDown":
                    redisson.getCountDownLatch(name).countDown();
                    answer(order, true);
                    break;
                case "await":
                    await(order, redisson.getCountDownLatch(name));
                    break;
                default:
                    throw new UnsupportedOperationException(order.text("do"));
            }
        }

        private void lock(Order order, String name) throws Exception {
            if (order.text("kind").equals("semaphore")) {
                acquired(order, acquire(order, redisson.getSemaphore(name)));
                return;
            }
            if (isExpirable(order)) {
                String permit = acquire(order, redisson.getPermitExpirableSemaphore(name));
                if (permit != null) {
                    permits.computeIfAbsent(name, unknown -> new ArrayDeque<>()).add(permit);
                }
                acquired(order, permit != null, "permit", permit);
                return;
            }
            String key = keyOf(order);
            Held known = held.get(key);
            RLock lock = known != null ? known.lock : lockOf(order);
            boolean acquired = take(order, lock);
            if (acquired) {
                held.computeIfAbsent(key, unknown -> new Held(lock)).count++;
            }
            boolean hasToken = acquired && order.text("kind").equals("fenced");
            acquired(order, acquired, "token", hasToken ? call(lock, "getToken") : null);
        }

        private void unlock(Order order, String name) throws Exception {
            if (order.text("kind").equals("semaphore")) {
                redisson.getSemaphore(name).release(order.count());
                answer(order, "released");
            } else if (isExpirable(order)) {
                Deque<String> own = permits.getOrDefault(name, new ArrayDeque<>());
                if (own.isEmpty()) {
                    throw new IllegalMonitorStateException("this client has no permit of it");
                }
                answer(order, redisson.getPermitExpirableSemaphore(name).tryRelease(own.remove()) ? "released" : "no");
            } else {
                unlock(order);
            }
        }

        private void unlock(Order order) throws Exception {
            String key = keyOf(order);
            Held known = held.get(key);
            RLock lock = known != null ? known.lock : lockOf(order);
            try {
                lock.unlock();
            } catch (IllegalMonitorStateException strange) {
                held.remove(key);
                throw strange;
            }
            if (known != null && --known.count == 0) {
                held.remove(key);
            }
            answer(order, known != null && known.count > 0 ? "stillHeld" : "released");
        }
    }

    /** A lock object remembers the lease that it was last given: it is kept from the first to the last hold. */
    private static final class Held {
        private final RLock lock;
        private int count;

        Held(RLock lock) {
            this.lock = lock;
        }
    }

    private static String keyOf(Order order) {
        return order.text("kind") + ' ' + order.text("variant") + ' ' + order.text("mode") + ' ' + order.locks();
    }

    private static boolean isExpirable(Order order) {
        return order.text("kind").equals("permitExpirableSemaphore");
    }

    private RLock lockOf(Order order) throws Exception {
        List<RLock> members = new ArrayList<>();
        for (RedissonClient server : servers) {
            for (Object name : order.locks()) {
                members.add(lockOf(server, order, name.toString()));
            }
        }
        if (members.size() == 1) {
            return members.get(0);
        }
        RLock[] all = members.toArray(new RLock[0]);
        return servers.size() > 1 ? new RedissonRedLock(all) : redisson.getMultiLock(all);
    }

    private static RLock lockOf(RedissonClient server, Order order, String name) throws Exception {
        boolean isFair = order.text("kind").equals("fair");
        if (order.text("variant").equals("nonReentrant")) {
            return (RLock) call(server, isFair ? "getNonReentrantFairLock" : "getNonReentrantLock", name);
        }
        switch (order.text("kind")) {
            case "reentrant":
                return order.text("variant").equals("spin") ? server.getSpinLock(name) : server.getLock(name);
            case "fair":
                return server.getFairLock(name);
            case "readWrite":
                return order.text("mode").equals("read") ? server.getReadWriteLock(name).readLock()
                    : server.getReadWriteLock(name).writeLock();
            case "fenced":
                return (RLock) call(server, "getFencedLock", name);
            default:
                throw new UnsupportedOperationException(order.text("kind"));
        }
    }

    private static boolean take(Order order, RLock lock) throws InterruptedException {
        long lease = order.millis("lease");
        long wait = order.millis("wait");
        if (wait < 0) {
            if (lease < 0) {
                lock.lock();
            } else {
                lock.lock(lease, TimeUnit.MILLISECONDS);
            }
            return true;
        }
        if (lease >= 0) {
            return lock.tryLock(wait, lease, TimeUnit.MILLISECONDS);
        }
        return wait == 0 ? lock.tryLock() : lock.tryLock(wait, TimeUnit.MILLISECONDS);
    }

    private static boolean acquire(Order order, RSemaphore semaphore) throws InterruptedException {
        long wait = order.millis("wait");
        if (wait < 0) {
            semaphore.acquire(order.count());
            return true;
        }
        return wait == 0 ? semaphore.tryAcquire(order.count())
            : semaphore.tryAcquire(order.count(), wait, TimeUnit.MILLISECONDS);
    }

    /** Null: none was to be had. */
    private static String acquire(Order order, RPermitExpirableSemaphore semaphore) throws InterruptedException {
        long lease = order.millis("lease");
        long wait = order.millis("wait");
        if (order.count() != 1) {
            throw new UnsupportedOperationException("several permits at once");
        }
        if (wait < 0) {
            return lease < 0 ? semaphore.acquire() : semaphore.acquire(lease, TimeUnit.MILLISECONDS);
        }
        return lease < 0 ? semaphore.tryAcquire(wait, TimeUnit.MILLISECONDS)
            : semaphore.tryAcquire(wait, lease, TimeUnit.MILLISECONDS);
    }

    private static void await(Order order, RCountDownLatch latch) throws InterruptedException {
        long wait = order.millis("wait");
        if (wait < 0) {
            latch.await();
            acquired(order, true);
        } else {
            acquired(order, latch.await(wait, TimeUnit.MILLISECONDS));
        }
    }

    /** What not all versions have. */
    private static Object call(Object object, String method, Object... arguments) throws Exception {
        Class<?>[] types = Arrays.stream(arguments).map(Object::getClass).toArray(Class<?>[]::new);
        try {
            return (object instanceof RedissonClient ? RedissonClient.class : object.getClass())
                .getMethod(method, types).invoke(object, arguments);
        } catch (NoSuchMethodException missing) {
            throw new UnsupportedOperationException("this version has no " + method);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof Exception ? (Exception) failed.getCause() : failed;
        }
    }

    // -------------------------------------------------------------------------------------------- answers

    private static void acquired(Order order, boolean acquired, Object... more) {
        answer(order, acquired ? "acquired" : "notAcquired", more);
    }

    private static void answer(Order order, boolean done) {
        answer(order, done ? "done" : "no");
    }

    private static void answer(Order order, String outcome, Object... more) {
        List<Object> members = new ArrayList<>(Arrays.asList("number", order.members.get("number"), "outcome", outcome,
            "tookUs", TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - order.since)));
        members.addAll(Arrays.asList(more));
        tell(members.toArray());
    }

    private static void fail(Order order, Exception problem) {
        String message = problem.getMessage() == null ? "" : problem.getMessage();
        answer(order, "error", "error", nameOf(problem, message), "message",
            problem.getClass().getSimpleName() + ": " + message);
    }

    /** As lockcore/base/error.h has them. */
    private static String nameOf(Exception problem, String message) {
        if (problem instanceof IllegalMonitorStateException) {
            return "notHeld";
        }
        if (problem instanceof UnsupportedOperationException) {
            return "notSupported";
        }
        if (problem instanceof IllegalArgumentException) {
            return "invalidArgument";
        }
        if (message.contains("WRONGTYPE")) {
            return "wrongType";
        }
        switch (problem.getClass().getSimpleName()) {
            case "RedisResponseTimeoutException":
            case "RedisTimeoutException":
                return "replyTimeout";
            case "RedisConnectionException":
            case "RedisNodeNotFoundException":
            case "WriteRedisConnectionException":
                return "connectionClosed";
            case "RedisReadonlyException":
                return "readOnlyReplica";
            default:
                return "serverOther";
        }
    }

    /** A line of JSON: names and values in turn, those that are null left out. */
    private static synchronized void tell(Object... members) {
        StringBuilder line = new StringBuilder("{");
        for (int i = 0; i < members.length; i += 2) {
            if (members[i + 1] != null) {
                line.append(i > 0 ? ", " : "").append(quoted(members[i].toString())).append(": ")
                    .append(members[i + 1] instanceof Number ? members[i + 1] : quoted(members[i + 1].toString()));
            }
        }
        ANSWERS.print(line.append("}\n"));
        ANSWERS.flush();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ' || letter > '~') {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }

    /** Reads one line of what the other side writes: an object of texts, whole numbers and lists of texts. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Map<String, Object> object() {
            Map<String, Object> members = new LinkedHashMap<>();
            expect('{');
            while (!skip('}')) {
                skip(',');
                String name = string();
                expect(':');
                members.put(name, value());
            }
            return members;
        }

        private Object value() {
            if (peek() == '"') {
                return string();
            }
            if (skip('[')) {
                List<String> elements = new ArrayList<>();
                while (!skip(']')) {
                    skip(',');
                    elements.add(string());
                }
                return elements;
            }
            int from = at;
            while (at < text.length() && "-0123456789".indexOf(text.charAt(at)) >= 0) {
                ++at;
            }
            return Long.valueOf(text.substring(from, at));
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            expect('"');
            while (text.charAt(at) != '"') {
                char letter = text.charAt(at++);
                string.append(letter == '\\' ? escaped() : letter);
            }
            ++at;
            return string.toString();
        }

        private char escaped() {
            char letter = text.charAt(at++);
            int plain = "bfnrt".indexOf(letter);
            if (plain >= 0) {
                return "\b\f\n\r\t".charAt(plain);
            }
            if (letter != 'u') {
                return letter;
            }
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }

        private char peek() {
            while (text.charAt(at) == ' ') {
                ++at;
            }
            return text.charAt(at);
        }

        private boolean skip(char letter) {
            boolean isIt = peek() == letter;
            at += isIt ? 1 : 0;
            return isIt;
        }

        private void expect(char letter) {
            if (!skip(letter)) {
                throw new IllegalArgumentException("expected " + letter + " at " + at + " of " + text);
            }
        }
    }
}
