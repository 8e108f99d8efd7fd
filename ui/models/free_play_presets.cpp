// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/free_play_presets.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using lab::GroupSettings;
using lab::Spread;

namespace {

struct PresetText {
    Q_DECLARE_TR_FUNCTIONS(PresetText)
};

GroupSettings presetGroup(Kind kind, LockVariant variant = LockVariant::Standard)
{
    GroupSettings settings;
    settings.kind = kind;
    settings.variant = variant;
    settings.hold = { Spread::Exponential, 20ms };
    settings.think = { Spread::Exponential, 20ms };
    return settings;
}

std::vector<GroupSettings> withLeases()
{
    GroupSettings renewed = presetGroup(Kind::Reentrant);
    GroupSettings tooShort = renewed;
    for (GroupSettings *each : { &renewed, &tooShort }) {
        each->hold = { Spread::Exponential, 150ms };
        each->think = { Spread::Exponential, 150ms };
    }
    tooShort.lease = 300ms;
    return { renewed, tooShort };
}

std::vector<GroupSettings> withCrashes()
{
    GroupSettings renewed = presetGroup(Kind::Reentrant);
    renewed.crashesPerMinute = 12;
    GroupSettings queued = presetGroup(Kind::Fair);
    queued.crashesPerMinute = 12;
    GroupSettings leased = renewed;
    leased.lease = 1s;
    return { renewed, leased, queued };
}

std::vector<GroupSettings> ofReaders()
{
    GroupSettings shared = presetGroup(Kind::ReadWrite);
    shared.readersPercent = 90;
    return { shared, presetGroup(Kind::Reentrant) };
}

std::vector<GroupSettings> ofPermits()
{
    GroupSettings plain = presetGroup(Kind::Semaphore);
    plain.crashesPerMinute = 12;
    GroupSettings leased = presetGroup(Kind::PermitExpirableSemaphore);
    leased.crashesPerMinute = 12;
    leased.lease = 2s;
    return { plain, leased };
}

template <typename Value>
void follow(Value GroupSettings::*value, GroupSettings &other, const GroupSettings &before, const GroupSettings &after)
{
    if (before.*value != after.*value)
        other.*value = after.*value;
}

} // namespace

std::vector<FreePlayPreset> freePlayPresets()
{
    return {
        { PresetText::tr("Reentrant beside fair beside spin"),
            PresetText::tr(
                "The same load on three kinds of lock. A fair lock serves its queue in order; a spin lock lets "
                "whoever asks at the right moment have it, and its longest waits grow."),
            { presetGroup(Kind::Reentrant), presetGroup(Kind::Fair),
                presetGroup(Kind::Reentrant, LockVariant::Spin) } },
        { PresetText::tr("Readers beside a plain lock"),
            PresetText::tr(
                "Nine of ten only read. A read/write lock lets them in together; a plain lock does not know."),
            ofReaders() },
        { PresetText::tr("A lease that is too short"),
            PresetText::tr(
                "Work that sometimes takes longer than the lease: the next client enters while the one before "
                "still works. Beside it the same work under a watchdog."),
            withLeases() },
        { PresetText::tr("Holders that crash"),
            PresetText::tr(
                "Some clients are killed where they stand. What they held is free again when its lease is over: "
                "the shorter that is, the shorter the gaps in the curve."),
            withCrashes() },
        { PresetText::tr("Permits that get lost"),
            PresetText::tr(
                "A client that dies takes its permit of a plain semaphore with it, for good: in the end nobody "
                "gets any. Permits with a lease come back."),
            ofPermits() },
        { PresetText::tr("Clients by hand"),
            PresetText::tr(
                "Clients that do nothing but what you tell them, to the lock that you name: lock, unlock, renew, stand "
                "still, crash. To a service that uses the lock they are one more Redisson each."),
            { ledByHand("example", Kind::Reentrant) } },
    };
}

GroupSettings ledByHand(const lockcore::LockName &lock, Kind kind)
{
    GroupSettings settings = presetGroup(kind == Kind::FasterMulti ? Kind::Reentrant : kind);
    settings.byHand = lock;
    settings.clients = 2;
    settings.watchdog = 30s; // as Redisson's, and the next
    settings.fairWait = 5min;
    settings.wait = 10s;
    return settings;
}

void changeAlike(GroupSettings &other, const GroupSettings &before, const GroupSettings &after)
{
    follow(&GroupSettings::clients, other, before, after);
    follow(&GroupSettings::hold, other, before, after);
    follow(&GroupSettings::think, other, before, after);
    follow(&GroupSettings::lease, other, before, after);
    follow(&GroupSettings::watchdog, other, before, after);
    follow(&GroupSettings::renews, other, before, after);
    follow(&GroupSettings::fairWait, other, before, after);
    follow(&GroupSettings::wait, other, before, after);
    follow(&GroupSettings::crashesPerMinute, other, before, after);
}

} // namespace lockui
