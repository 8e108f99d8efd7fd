// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"

#include <cstdint>
#include <string>

namespace lockcore::transport {

/// How a TLS connection is checked. Certificates are always verified.
struct TlsOptions {
    bool enabled = false;
    std::string caFile; // PEM; empty: the system's authorities
    std::string certificateFile; // PEM; for servers that ask for one
    std::string keyFile; // PEM
    std::string serverName; // empty: the host of the endpoint

    bool operator==(const TlsOptions &) const = default;
};

/// What the connections of our programs are called, unless a person names them otherwise.
inline constexpr const char *WindowName = "lockscope";
inline constexpr const char *CommandLineName = "lockctl";

/// Where one server is and how to log in there. Secrets are never printed.
struct Endpoint {
    std::string host = "127.0.0.1";
    std::uint16_t port = 6379;
    std::string socketPath; // Unix socket; not empty: host and port do not count
    std::string user; // empty: the default user
    std::string password;
    int database = 0;
    TlsOptions tls;
    std::string clientName; // of the connections, as in CLIENT LIST; empty: they have none

    bool operator==(const Endpoint &) const = default;

    /// For people and logs: `127.0.0.1:6379` or `/path/to.sock`, without user and password.
    LOCKCORE_EXPORT std::string display() const;
    /// The same, with another database than 0 behind it: `127.0.0.1:6379/1` or `/path/to.sock?db=1`.
    LOCKCORE_EXPORT std::string displayWithDatabase() const;
};

} // namespace lockcore::transport
