// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lockcore::protocol {

/// One RESP2 reply as a value.
/// Thread: any (no shared state).
class Reply {
public:
    struct Nil {
        bool operator==(const Nil &) const = default;
    };
    struct Status {
        std::string text;
        bool operator==(const Status &) const = default;
    };
    struct ServerError {
        std::string text; // e.g. "WRONGTYPE Operation against ..."
        bool operator==(const ServerError &) const = default;
    };
    using Array = std::vector<Reply>;
    using Value = std::variant<Nil, Status, ServerError, std::int64_t, std::string, Array>;

    Reply() = default;
    Reply(Value value)
        : m_value(std::move(value))
    {
    }

    bool isNil() const { return std::holds_alternative<Nil>(m_value); }
    bool isError() const { return std::holds_alternative<ServerError>(m_value); }
    const std::int64_t *integer() const { return std::get_if<std::int64_t>(&m_value); }
    const std::string *bulk() const { return std::get_if<std::string>(&m_value); }
    const Status *status() const { return std::get_if<Status>(&m_value); }
    const ServerError *error() const { return std::get_if<ServerError>(&m_value); }
    const Array *array() const { return std::get_if<Array>(&m_value); }
    Array *array() { return std::get_if<Array>(&m_value); } // to take it apart
    const Value &value() const { return m_value; }

    bool operator==(const Reply &) const = default;

private:
    Value m_value;
};

} // namespace lockcore::protocol
