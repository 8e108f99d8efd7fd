// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/reply_values.h"

namespace lockcore::reply_values {

namespace {

template <typename Convert>
auto each(const protocol::Reply &reply, Convert convert)
{
    std::vector<decltype(convert(reply))> result;
    if (const auto *array = reply.array()) {
        result.reserve(array->size());
        for (const auto &element : *array)
            result.push_back(convert(element));
    }
    return result;
}

} // namespace

std::optional<std::string> text(const protocol::Reply &reply)
{
    if (const auto *bulk = reply.bulk())
        return *bulk;
    if (const auto *status = reply.status())
        return status->text;
    return std::nullopt;
}

std::int64_t integer(const protocol::Reply &reply, std::int64_t otherwise)
{
    const auto *value = reply.integer();
    return value ? *value : otherwise;
}

std::vector<std::string> texts(const protocol::Reply &reply)
{
    return each(reply, [](const protocol::Reply &element) { return text(element).value_or(std::string()); });
}

std::vector<std::optional<std::string>> optionalTexts(const protocol::Reply &reply) { return each(reply, text); }

std::vector<std::int64_t> integers(const protocol::Reply &reply)
{
    return each(reply, [](const protocol::Reply &element) { return integer(element, 0); });
}

std::vector<std::pair<std::string, std::string>> pairs(const protocol::Reply &reply)
{
    auto flat = texts(reply);
    std::vector<std::pair<std::string, std::string>> result;
    for (std::size_t i = 0; i + 1 < flat.size(); i += 2)
        result.emplace_back(std::move(flat[i]), std::move(flat[i + 1]));
    return result;
}

} // namespace lockcore::reply_values
