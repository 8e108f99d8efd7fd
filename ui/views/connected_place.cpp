// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/connected_place.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockui {

using lab::GroupSettings;
using lockcore::synchronizers::Kind;
using lockcore::transport::Topology;

namespace {

struct PlaceText {
    Q_DECLARE_TR_FUNCTIONS(PlaceText)
};

/// Clients of the lab log in by themselves, with what a command line can say; and a lock on several independent servers
/// is several locks.
QString whyNotThere(const ConnectionProfile &profile, bool isWritable)
{
    if (profile.isPassing)
        return PlaceText::tr("the window shows the lab");
    if (profile.readOnlyLocked)
        return PlaceText::tr("it is always read-only");
    if (profile.deployment.topology == Topology::Nodes)
        return PlaceText::tr("its servers are independent");
    if (!profile.deployment.seeds.front().tls.certificateFile.empty())
        return PlaceText::tr("it asks for a certificate, which the lab's clients have not");
    return isWritable ? QString() : PlaceText::tr("switch it to writable first");
}

} // namespace

ConnectedPlace connectedPlace(
    const std::optional<ConnectionProfile> &profile, const QString &title, bool isRecording, bool isWritable)
{
    if (isRecording)
        return { .whyNot = PlaceText::tr("not in a recording") };
    if (!profile)
        return { .whyNot = PlaceText::tr("connect first") };
    if (const QString whyNot = whyNotThere(*profile, isWritable); !whyNot.isEmpty())
        return { .whyNot = whyNot };
    return { .server = profile->deployment, .title = title, .isProduction = profile->isProduction() };
}

QString whyNotReached(const lockcore::monitor::Snapshot *snapshot)
{
    if (snapshot != nullptr && isFresh(*snapshot))
        return {};
    return snapshot != nullptr && isStale(*snapshot) ? PlaceText::tr("the connection is lost")
                                                     : PlaceText::tr("it is not connected");
}

bool contend(const std::vector<GroupSettings> &groups)
{
    return std::ranges::any_of(groups, [](const GroupSettings &each) { return !each.byHand; });
}

QString whyNotBegin(const std::vector<GroupSettings> &groups, const ConnectedPlace *place)
{
    if (std::ranges::any_of(groups, [](const GroupSettings &each) { return each.byHand && each.byHand->empty(); }))
        return PlaceText::tr("Name the lock first");
    if (place && !place->whyNot.isEmpty())
        return PlaceText::tr("Not on the connected server: %1").arg(place->whyNot);
    const bool standsAlone = !place || place->server->topology == Topology::Single;
    if (contend(groups) && !standsAlone)
        return PlaceText::tr(
            "Groups contend by themselves on one server that stands alone; here clients are led by hand");
    return {};
}

/// A plain lock and a fair one that nobody waits for look the same.
QString kindWarning(const GroupSettings &group, const lockcore::monitor::Snapshot &seen)
{
    if (!group.byHand || group.byHand->empty())
        return {};
    constexpr int MostInWarning = 60;
    const QString name = displayText(*group.byHand, MostInWarning);
    const auto lock = seen.locks.find(*group.byHand);
    if (!lock)
        return isCounter(group.kind)
            ? PlaceText::tr("“%1” was not seen as one: an ordinary number of this name would be changed.").arg(name)
            : QString();
    const bool looksAlike = lock->kind == Kind::Reentrant && group.kind == Kind::Fair;
    const auto &others = lock->otherKinds;
    if (lock->kind == group.kind || looksAlike || std::ranges::find(others, group.kind) != others.end())
        return {};
    return PlaceText::tr("One name must not be used for two kinds: “%1” was seen as %2.")
        .arg(name, kindText(lock->kind).toLower());
}

} // namespace lockui
