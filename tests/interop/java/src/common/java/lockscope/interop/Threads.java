// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real thread for each number: Redisson's blocking calls take the owner from the thread that calls. */
final class Threads {
    private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();

    ExecutorService get(String number) {
        return threads.computeIfAbsent(number, n -> Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, n);
            thread.setDaemon(true);
            return thread;
        }));
    }
}
