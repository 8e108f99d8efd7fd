// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.Arrays;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** {@code connect - single|cluster|sentinel|independent URL[,URL] WATCHDOG-MS string|default}; the last is the codec. */
final class Connecting {
    private Connecting() {
    }

    /** Independent servers: a client for each of them. */
    static List<RedissonClient> connect(Arguments arguments) {
        String[] urls = arguments.list(1);
        return switch (arguments.word(0)) {
            case "cluster" -> List.of(cluster(arguments, urls));
            case "sentinel" -> List.of(sentinel(arguments, urls));
            case "independent" -> Arrays.stream(urls).map(url -> independent(arguments, url)).toList();
            case "mapped" -> List.of(mapped(arguments, urls[0]));
            default -> List.of(single(config(arguments), urls[0]));
        };
    }

    private static Config config(Arguments arguments) {
        Config config = new Config();
        config.setThreads(4);
        config.setNettyThreads(2);
        if (arguments.word(3).equals("string")) {
            config.setCodec(StringCodec.INSTANCE);
        }
        if (arguments.number(2) != Arguments.ABSENT) {
            config.setLockWatchdogTimeout(arguments.number(2));
        }
        return config;
    }

    private static RedissonClient cluster(Arguments arguments, String[] urls) {
        Config config = config(arguments);
        config.useClusterServers().addNodeAddress(urls)
            .setMasterConnectionMinimumIdleSize(1).setMasterConnectionPoolSize(12)
            .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(50);
        return Redisson.create(config);
    }

    /** The name of the master as the tests call it. */
    private static RedissonClient sentinel(Arguments arguments, String[] urls) {
        Config config = config(arguments);
        config.useSentinelServers().addSentinelAddress(urls).setMasterName("locks")
            .setMasterConnectionMinimumIdleSize(1).setMasterConnectionPoolSize(12)
            .setSlaveConnectionMinimumIdleSize(1).setSlaveConnectionPoolSize(12)
            .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(50);
        return Redisson.create(config);
    }

    private static RedissonClient single(Config config, String url) {
        config.useSingleServer().setAddress(url)
            .setConnectionMinimumIdleSize(1).setConnectionPoolSize(12)
            .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(50);
        return Redisson.create(config);
    }

    private static RedissonClient mapped(Arguments arguments, String url) {
        Config config = config(arguments);
        Mapping.put("app:", config.useSingleServer());
        return single(config, url);
    }

    /**
     * A server that does not answer is to be noticed soon, or a RedLock takes a quarter of a minute for each try. One
     * that is gone refuses to be connected to at once; on a busy machine the first connection takes its time.
     */
    private static RedissonClient independent(Arguments arguments, String url) {
        Config config = config(arguments);
        config.useSingleServer().setRetryAttempts(0).setTimeout(1_000).setConnectTimeout(10_000);
        return single(config, url);
    }
}
