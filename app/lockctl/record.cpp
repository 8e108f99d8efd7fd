// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/record.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/ls.h"
#include "app/lockctl/output.h"
#include "app/lockctl/watch.h"
#include "lockcore/recording/player.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_json.h"

#include <QDateTime>
#include <QFile>
#include <algorithm>

namespace lockctl {

namespace json = lockui::json;
using lockui::eventJson;
using lockui::isoTime;

using app::shown;
using app::Words;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::Result;
using lockcore::monitor::Event;
using lockcore::monitor::Snapshot;
using lockcore::monitor::SourcePhase;
using lockcore::monitor::SourceStatus;
using lockcore::recording::Player;
using lockcore::recording::RecordedSpan;
using lockcore::service::Monitor;

Record::Record(RecordRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_monitor(monitorOptions(globals))
{
    m_end.setSingleShot(true);
    connect(&m_end, &QTimer::timeout, this, &Record::finish);
    connect(&m_monitor, &Monitor::snapshotReady, this, &Record::followConnection);
    connect(&m_monitor.recorder(), &lockcore::service::Recorder::changed, this, &Record::tellBegin);
    connect(&m_monitor.recorder(), &lockcore::service::Recorder::failed, this, &Record::giveUp);
}

void Record::start(const lockcore::transport::Deployment &deployment)
{
    m_monitor.setFeed(m_request.feed);
    m_monitor.open(deployment);
}

void Record::followConnection()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::monitor::SourceStatus &status = snapshot->status;
    if (m_over || status.phase == SourcePhase::Connecting)
        return;
    if (!m_begun && status.phase == SourcePhase::Failed)
        giveUp(status.error.value_or(lockcore::Error()));
    else if (!m_begun)
        begin();
    m_note.tellFeed(status);
    m_note.tellLoss(status);
}

void Record::begin()
{
    m_begun = true;
    m_monitor.recorder().start(QFile::decodeName(m_request.file.c_str()), m_request.limits);
    if (m_request.recordFor)
        m_end.start(*m_request.recordFor);
}

/// Not before something is written.
void Record::tellBegin()
{
    const auto recording = m_monitor.recorder().state();
    if (m_asJson || m_told || !recording || recording->progress.bytes == 0)
        return;
    m_told = true;
    printLine((m_request.recordFor ? Words::tr("recording %1 to %2") : Words::tr("recording %1 to %2, until Ctrl+C"))
                  .arg(shown(m_monitor.latest()->status.server), shown(m_request.file)));
}

void Record::giveUp(const lockcore::Error &error)
{
    if (std::exchange(m_over, true))
        return;
    fail(error);
}

void Record::finish()
{
    if (m_over)
        return;
    if (!m_begun) {
        m_over = true;
        Q_EMIT finished(app::AnswerIsNo);
        return;
    }
    m_monitor.recorder().stop();
    // Later than the word of what was written last, which may have failed.
    QMetaObject::invokeMethod(this, &Record::tellEnd, Qt::QueuedConnection);
}

void Record::tellEnd()
{
    if (m_over)
        return;
    const auto player = lockcore::recording::Player::open(QFile::decodeName(m_request.file.c_str()));
    if (!player) {
        giveUp(player.error());
        return;
    }
    m_over = true;
    const auto &[first, last] = (*player)->span();
    if (m_asJson) {
        printLine(json::line({ { "file", json::text(m_request.file) }, { "first", isoTime((*player)->wallAt(first)) },
            { "last", isoTime((*player)->wallAt(last)) }, { "events", (*player)->eventCount() } }));
    } else {
        printLine(Words::tr("%1: %2, %n events", nullptr, lockui::pluralOf((*player)->eventCount()))
                      .arg(shown(m_request.file),
                          lockui::ttlText(std::chrono::duration_cast<lockcore::Millis>(last - first))));
    }
    Q_EMIT finished(app::Done);
}

std::optional<MonoTime> momentIn(const Player &player, const RecordedMoment &moment)
{
    const auto at = moment.at ? player.momentAt(*moment.at) : std::optional(player.span().first + *moment.after);
    return at && *at <= player.span().last ? at : std::nullopt;
}

lockcore::Error noSuchMoment(const Player &player, const char *option)
{
    const auto &[first, last] = player.span();
    const auto at = [&](MonoTime time) { return QString::fromStdString(isoTime(player.wallAt(time))); };
    return app::complaint(lockcore::ErrorCode::InvalidArgument,
        Words::tr("the recording has no such moment: it reaches from %1 to %2, +%3 after its beginning")
            .arg(at(first), at(last), lockui::ttlText(std::chrono::floor<Millis>(last - first))),
        Words::tr("--%1 of %2")
            .arg(QString::fromLatin1(option), QString::fromStdString(player.context()))
            .toStdString());
}

Result<void> visitRecorded(Player &player, const std::function<bool(const Event &)> &visit)
{
    bool goesOn = true;
    const auto visitOne = [&](const Event &event) { return goesOn = goesOn && visit(event); };
    Result<void> whole;
    MonoTime told;
    for (const RecordedSpan &session : player.sessions()) {
        std::ranges::all_of(player.untoldGaps(told, session.first), visitOne);
        if (!goesOn)
            break;
        const auto visited = player.visitEvents(session.first - std::chrono::microseconds(1), session.last, visitOne);
        if (whole)
            whole = visited;
        std::ranges::all_of(player.untoldGaps(session.first, session.last), visitOne);
        told = session.last;
    }
    return whole;
}

namespace {

bool printEvent(const Event &event, bool asJson, bool haveCopies)
{
    const auto day = QDateTime::fromMSecsSinceEpoch(event.at.time_since_epoch().count()).date();
    return printLine(asJson ? json::line(eventJson(event))
                            : day.toString(Qt::ISODate).toStdString() + ' ' + eventText(event, haveCopies));
}

/// Whether the recorded servers are independent, as far as a lock tells that was there at the beginning or the end.
bool areCopies(Player &player)
{
    const auto tells = [&player](MonoTime moment) {
        const auto snapshot = player.at(moment);
        return snapshot && !(*snapshot)->locks.empty() && (*snapshot)->locks.front()->quorum.has_value();
    };
    return tells(player.span().first) || tells(player.span().last);
}

/// The banner of the window says it of the same moment; nobody is asked now.
void tellUnseen(const Snapshot &snapshot)
{
    const auto tell = [&](const std::string &server, const SourceStatus &status) {
        const QString why = status.error ? QStringLiteral(" (%1)").arg(lockui::errorReason(*status.error)) : QString();
        if (status.staleSince)
            note(Words::tr("in the recording %1 was not seen any more from %2 on: what stands here of it was true then")
                     .arg(shown(server), QString::fromStdString(isoTime(*status.staleSince, snapshot.takenAt)))
                + why);
        else if (status.error)
            note(Words::tr("in the recording %1 was not seen at this moment").arg(shown(server)) + why);
    };
    for (const lockcore::monitor::NodeStatus &node : snapshot.nodes) {
        if (isWatched(node))
            tell(node.node, node.status);
    }
    if (snapshot.nodes.empty())
        tell(snapshot.status.server, snapshot.status);
}

Result<void> printMoment(Player &player, std::optional<MonoTime> moment, bool asJson)
{
    if (!moment)
        return tl::unexpected(noSuchMoment(player, "at"));
    return player.at(*moment).map([&](const auto &snapshot) {
        tellUnseen(*snapshot);
        printLocks(*snapshot, {}, snapshot->takenAt, asJson);
    });
}

Result<void> print(Player &player, const ReplayRequest &request)
{
    if (const auto warning = player.warning())
        app::complain("lockctl", *warning);
    const RecordedMoment &moment = request.moment;
    if (!moment.at && !moment.after)
        return visitRecorded(player, [&, haveCopies = areCopies(player)](const Event &event) {
            return printEvent(event, request.json, haveCopies);
        });
    return printMoment(player, momentIn(player, moment), request.json);
}

} // namespace

void tellDamage(const Player &player)
{
    for (const lockcore::Error &each : player.damage())
        app::complain("lockctl", each);
}

int printRecording(const ReplayRequest &request)
{
    auto player = Player::open(QFile::decodeName(request.file.c_str()));
    auto done = player ? print(**player, request) : Result<void>(tl::unexpected(player.error()));
    if (player)
        tellDamage(**player);
    const std::vector<lockcore::Error> damage = player ? (*player)->damage() : std::vector<lockcore::Error>();
    if (!done && std::ranges::find(damage, done.error()) == damage.end())
        app::complain("lockctl", done.error());
    return !done ? app::exitStatus(done.error()) : damage.empty() ? app::Done : app::exitStatus(damage.front());
}

} // namespace lockctl
