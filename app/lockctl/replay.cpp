// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/replay.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/ls.h"
#include "app/lockctl/output.h"
#include "app/lockctl/watch.h"
#include "lockcore/recording/player.h"

#include <QDateTime>
#include <QFile>

namespace lockctl {

using app::Words;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::Result;
using lockcore::monitor::Event;
using lockcore::recording::Player;
using lockcore::recording::RecordedSpan;

namespace {

bool printEvent(const Event &event, bool asJson)
{
    const auto day = QDateTime::fromMSecsSinceEpoch(event.at.time_since_epoch().count()).date();
    return printLine(
        asJson ? json::line(eventJson(event)) : day.toString(Qt::ISODate).toStdString() + ' ' + eventText(event));
}

/// Between two sessions nobody looked.
bool printGap(const Player &player, const RecordedSpan &before, const RecordedSpan &after, bool asJson)
{
    Event gap;
    gap.kind = lockcore::monitor::EventKind::Gap;
    gap.at = player.wallAt(after.first);
    gap.ttl = std::chrono::duration_cast<Millis>(after.first - before.last);
    return printEvent(gap, asJson);
}

Result<void> printEvents(Player &player, bool asJson)
{
    bool isRead = true;
    const auto print = [&](const Event &event) { return isRead = printEvent(event, asJson); };
    const RecordedSpan *before = nullptr;
    for (const RecordedSpan &session : player.sessions()) {
        if (before != nullptr)
            isRead = isRead && printGap(player, *before, session, asJson);
        if (!isRead)
            return {};
        auto visited = player.visitEvents(session.first - std::chrono::microseconds(1), session.last, print);
        if (!visited)
            return visited;
        before = &session;
    }
    return {};
}

Result<void> printMoment(Player &player, std::optional<MonoTime> moment, bool asJson)
{
    const auto &[first, last] = player.span();
    if (!moment || *moment > last) {
        const auto at = [&](MonoTime time) { return QString::fromStdString(isoTime(player.wallAt(time))); };
        return tl::unexpected(app::complaint(lockcore::ErrorCode::InvalidArgument,
            Words::tr("the recording has no such moment: it reaches from %1 to %2, +%3 after its beginning")
                .arg(at(first), at(last), lockui::ttlText(std::chrono::floor<Millis>(last - first))),
            Words::tr("--at of %1").arg(QString::fromStdString(player.context())).toStdString()));
    }
    return player.at(*moment).map([&](const auto &snapshot) {
        if (const auto &error = snapshot->status.error)
            app::complain("lockctl", *error);
        printLocks(*snapshot, {}, snapshot->takenAt, asJson);
    });
}

Result<void> print(Player &player, const ReplayRequest &request)
{
    if (const auto warning = player.warning())
        app::complain("lockctl", *warning);
    if (request.after)
        return printMoment(player, player.span().first + *request.after, request.json);
    if (!request.at)
        return printEvents(player, request.json);
    return printMoment(player, player.momentAt(*request.at), request.json);
}

} // namespace

int printRecording(const ReplayRequest &request)
{
    auto player = Player::open(QFile::decodeName(request.file.c_str()));
    const auto done = player ? print(**player, request) : Result<void>(tl::unexpected(player.error()));
    if (done)
        return app::Done;
    app::complain("lockctl", done.error());
    return app::exitStatus(done.error());
}

} // namespace lockctl
