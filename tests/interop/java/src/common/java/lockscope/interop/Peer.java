// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.redisson.api.RedissonClient;

/**
 * A Redisson instance that does what the lines on stdin say: {@code TAG COMMAND ARGUMENT…}. Each is answered by one line
 * {@code TAG WORD…} once it is done, so a wait is answered late, and others before it.
 */
public final class Peer {
    private final Map<String, Future<?>> running = new ConcurrentHashMap<>();
    private final Threads threads = new Threads();
    private RedissonClient redisson;
    private Locks locks;
    private Permits permits;
    private Gathering gathering;

    public static void main(String[] arguments) throws Exception {
        Peer peer = new Peer();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            if (words[1].equals("quit")) {
                break;
            }
            peer.take(words);
        }
        Runtime.getRuntime().halt(0); // what is held is left to run out
    }

    static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private void take(String[] words) {
        Arguments arguments = new Arguments(words);
        switch (arguments.command()) {
            case "connect" -> answer(arguments, () -> connect(arguments));
            case "cancel" -> cancel(arguments);
            case "crowd.stop" -> {
                gathering.stop();
                say(arguments.tag() + " ok");
            }
            default -> start(arguments);
        }
    }

    private String connect(Arguments arguments) {
        List<RedissonClient> servers = Connecting.connect(arguments);
        redisson = servers.get(0);
        locks = new Locks(servers);
        permits = new Permits(redisson);
        return "ok " + servers.stream().map(RedissonClient::getId).collect(Collectors.joining(","));
    }

    /** Interrupts the thread that waits; the command itself answers. */
    private void cancel(Arguments arguments) {
        Future<?> future = running.get(arguments.word(0));
        if (future != null) {
            future.cancel(true);
        }
        say(arguments.tag() + " ok");
    }

    /** Null: not a command about many workers. */
    private Gathering gather(Arguments arguments) {
        return switch (arguments.command()) {
            case "crowd" -> gathering = new Crowd(redisson, locks, arguments);
            case "work" -> gathering = new Work(redisson, locks, arguments);
            default -> null;
        };
    }

    private void start(Arguments arguments) {
        Step step = gather(arguments);
        if (step == null) {
            step = locks.step(arguments);
        }
        if (step == null) {
            step = permits.step(arguments);
        }
        if (step == null) {
            say(arguments.tag() + " error NoSuchCommand " + arguments.command());
            return;
        }
        Step found = step;
        running.put(arguments.tag(), threads.get(arguments.thread()).submit(() -> {
            answer(arguments, found);
            running.remove(arguments.tag());
        }));
    }

    private void answer(Arguments arguments, Step step) {
        String text;
        try {
            text = step.run();
        } catch (Throwable e) {
            text = "error " + e.getClass().getSimpleName() + " " + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
        say(arguments.tag() + " " + text);
    }
}
