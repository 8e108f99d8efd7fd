// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/option_names.h"

#include "lockcore/synchronizers/catalog.h"

namespace lockctl {

using lockcore::monitor::Feed;
using lockcore::synchronizers::Category;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::KindRow;
using lockcore::synchronizers::LockVariant;

namespace {

/// Without multi-locks, of which values would have to be named too, and without latches, which nobody holds.
std::vector<HoldKind> holdKinds()
{
    std::vector<HoldKind> result;
    for (const KindRow &kind : lockcore::synchronizers::allKinds()) {
        if (kind.category != Category::MultiLock && kind.category != Category::Latch)
            result.emplace_back(kind.value, LockVariant::Standard);
    }
    for (const auto &variant : lockcore::synchronizers::LockVariants) {
        if (variant.value != LockVariant::Standard)
            result.emplace_back(Kind::Reentrant, variant.value);
    }
    return result;
}

} // namespace

const char *holdKindName(const HoldKind &kind)
{
    return kind.second == LockVariant::Standard ? nameOf(kind.first) : nameOf(kind.second);
}

std::vector<const char *> holdKindNames()
{
    std::vector<const char *> names;
    for (const HoldKind &kind : holdKinds())
        names.push_back(holdKindName(kind));
    return names;
}

std::optional<HoldKind> holdKindNamed(std::string_view name)
{
    for (const HoldKind &kind : holdKinds()) {
        if (name == holdKindName(kind))
            return kind;
    }
    return std::nullopt;
}

std::optional<HoldMode> modeNamed(std::string_view name) { return named(lockcore::synchronizers::HoldModes, name); }

std::vector<const char *> feedNames()
{
    std::vector<const char *> names;
    for (const auto &feed : lockcore::monitor::Feeds) {
        if (feed.value != Feed::None)
            names.push_back(feed.name);
    }
    return names;
}

std::optional<Feed> feedNamed(std::string_view name)
{
    const auto feed = named(lockcore::monitor::Feeds, name);
    return feed == Feed::None ? std::nullopt : feed;
}

} // namespace lockctl
