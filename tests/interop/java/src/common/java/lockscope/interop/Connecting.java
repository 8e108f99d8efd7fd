// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** {@code connect - single|cluster URL[,URL] WATCHDOG-MS}. */
final class Connecting {
    private Connecting() {
    }

    static RedissonClient connect(Arguments arguments) {
        return connect(arguments.word(0).equals("cluster"), arguments.list(1), arguments.number(2), 12);
    }

    static RedissonClient connect(boolean cluster, String[] urls, long watchdogMs, int connections) {
        Config config = new Config();
        config.setThreads(4);
        config.setNettyThreads(2);
        config.setCodec(StringCodec.INSTANCE);
        if (watchdogMs != Arguments.ABSENT) {
            config.setLockWatchdogTimeout(watchdogMs);
        }
        if (cluster) {
            config.useClusterServers().addNodeAddress(urls)
                .setMasterConnectionMinimumIdleSize(1).setMasterConnectionPoolSize(connections)
                .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(50);
        } else {
            config.useSingleServer().setAddress(urls[0])
                .setConnectionMinimumIdleSize(1).setConnectionPoolSize(connections)
                .setSubscriptionConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(50);
        }
        return Redisson.create(config);
    }
}
