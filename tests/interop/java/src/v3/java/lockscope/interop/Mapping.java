// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import org.redisson.api.NameMapper;
import org.redisson.config.SingleServerConfig;

/** Names in Redis that are not those of the application: each has a prefix. */
final class Mapping {
    private Mapping() {
    }

    static void put(String prefix, SingleServerConfig config) {
        config.setNameMapper(new NameMapper() {
            @Override
            public String map(String name) {
                return prefix + name;
            }

            @Override
            public String unmap(String name) {
                return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
            }
        });
    }
}
