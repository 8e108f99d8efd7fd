// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"

#include <tl/expected.hpp>
#include <utility>

namespace lockcore {

/// A value, or the reason why there is none.
template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(ErrorCode code, std::string message, std::string context = {})
{
    return tl::unexpected<Error>(Error{ code, std::move(message), std::move(context) });
}

inline tl::unexpected<Error> failure(ErrorCode code, Said why, Said tried = {})
{
    return tl::unexpected<Error>(errorOf(code, std::move(why), std::move(tried)));
}

} // namespace lockcore
