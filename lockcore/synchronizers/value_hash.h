// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lockcore::synchronizers {

/// What stands for a value in the hash of a faster multi-lock's group: 22 characters of base64 of its HighwayHash-128
/// under Redisson's key.
/// Source: Redisson: Hash.hash128toBase64, in org.redisson.misc.
std::string valueHash(std::string_view encodedValue);

} // namespace lockcore::synchronizers
