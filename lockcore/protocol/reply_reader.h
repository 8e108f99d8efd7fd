// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/reply.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace lockcore::protocol {

/// What one reply may have; checked before memory is reserved for it.
struct ReplyLimits {
    std::size_t bulkBytes = std::size_t{ 64 } << 20; // of one string
    std::size_t replyBytes = std::size_t{ 256 } << 20; // of all its strings
    std::size_t elements = 4'000'000; // of all its arrays
    std::size_t nesting = 7; // arrays in arrays; what hiredis 0.14 can at the most
};

/// Cuts a stream of bytes into RESP2 replies.
/// Errors: protocol/malformed-reply and protocol/reply-too-large; after the first the reader gives nothing else.
class ReplyReader {
public:
    explicit ReplyReader(ReplyLimits limits = {});
    ReplyReader(ReplyReader &&) noexcept;
    ReplyReader &operator=(ReplyReader &&) noexcept;
    ~ReplyReader();

    void feed(std::string_view bytes);
    /// The next whole reply; absent: more bytes are needed.
    [[nodiscard]] Result<std::optional<Reply>> next();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::protocol
