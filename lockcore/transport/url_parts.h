// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/endpoint.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::transport::url {

/// What the URLs of servers have in common. Errors: local/invalid-argument.

struct Tcp {
    std::vector<Endpoint> servers; // at least one; all with the same login
    std::string_view path; // without the first slash
};

tl::unexpected<Error> bad(Said why);
Result<std::string> percentDecoded(std::string_view text);
Result<void> readLogin(std::string_view text, Endpoint &endpoint); // `[user]:password`
Result<void> readDatabase(std::string_view text, Endpoint &endpoint);
/// `[[user]:password@]host[:port][,host…][/path]`
Result<Tcp> readTcp(std::string_view rest, bool tls, std::uint16_t defaultPort = 6379);

} // namespace lockcore::transport::url
