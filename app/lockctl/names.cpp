// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/names.h"

#include <array>

namespace lockctl {

using lockcore::Certainty;
using lockcore::EventKind;
using lockcore::HoldMode;
using lockcore::Kind;
using lockcore::Lease;
using lockcore::LockVariant;

namespace {

// In the order of the enumerators.
constexpr std::array Kinds{ "reentrant", "fair", "readWrite", "fenced", "fasterMulti", "semaphore",
    "permitExpirableSemaphore", "countDownLatch" };
constexpr std::array Modes{ "read", "write" };
constexpr std::array Leases{ "unknown", "watchdog", "fixed" };
constexpr std::array Events{ "appeared", "acquired", "reentered", "renewed", "partlyReleased", "released", "expired",
    "forceReleased", "deleted", "queued", "dequeued", "waiterTimedOut", "permitsChanged", "countChanged", "gap" };
constexpr std::array Certainties{ "seen", "inferred" };
constexpr std::array Feeds{ "none", "tracking", "notifications", "rereading" };

constexpr std::array HoldKinds{ HoldKind{ Kind::Reentrant, LockVariant::Standard },
    HoldKind{ Kind::Fair, LockVariant::Standard }, HoldKind{ Kind::ReadWrite, LockVariant::Standard },
    HoldKind{ Kind::Fenced, LockVariant::Standard }, HoldKind{ Kind::Semaphore, LockVariant::Standard },
    HoldKind{ Kind::PermitExpirableSemaphore, LockVariant::Standard }, HoldKind{ Kind::Reentrant, LockVariant::Spin },
    HoldKind{ Kind::Reentrant, LockVariant::NonReentrant } };

static_assert(Kinds.size() == static_cast<std::size_t>(Kind::CountDownLatch) + 1);
static_assert(Feeds.size() == static_cast<std::size_t>(lockcore::Feed::Rereading) + 1);
static_assert(Events.size() == static_cast<std::size_t>(EventKind::Gap) + 1);

template <typename Enum, std::size_t N>
std::optional<Enum> named(const std::array<const char *, N> &names, std::string_view name)
{
    for (std::size_t i = 0; i < N; ++i) {
        if (name == names[i])
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

} // namespace

const char *nameOf(Kind kind) { return Kinds.at(static_cast<std::size_t>(kind)); }
const char *nameOf(HoldMode mode) { return Modes.at(static_cast<std::size_t>(mode)); }
const char *nameOf(Lease lease) { return Leases.at(static_cast<std::size_t>(lease)); }
const char *nameOf(EventKind kind) { return Events.at(static_cast<std::size_t>(kind)); }
const char *nameOf(Certainty certainty) { return Certainties.at(static_cast<std::size_t>(certainty)); }

const char *nameOf(const HoldKind &kind)
{
    if (kind.second == LockVariant::Spin)
        return "spin";
    return kind.second == LockVariant::NonReentrant ? "nonReentrant" : nameOf(kind.first);
}

std::vector<const char *> holdKindNames()
{
    std::vector<const char *> names;
    for (const HoldKind &kind : HoldKinds)
        names.push_back(nameOf(kind));
    return names;
}

std::optional<HoldKind> holdKindNamed(std::string_view name)
{
    for (const HoldKind &kind : HoldKinds) {
        if (name == nameOf(kind))
            return kind;
    }
    return std::nullopt;
}

std::optional<HoldMode> modeNamed(std::string_view name) { return named<HoldMode>(Modes, name); }

std::vector<const char *> feedNames() { return { Feeds.begin() + 1, Feeds.end() }; }

std::optional<lockcore::Feed> feedNamed(std::string_view name)
{
    const auto feed = named<lockcore::Feed>(Feeds, name);
    return feed == lockcore::Feed::None ? std::nullopt : feed;
}

} // namespace lockctl
