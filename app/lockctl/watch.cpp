// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/watch.h"

#include "app/common/words.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/one_sweep.h"
#include "app/lockctl/table.h"
#include "lockcore/transport/clock.h"
#include "ui/text/error_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_json.h"
#include "ui/text/node_text.h"

#include <QDateTime>
#include <algorithm>
#include <cstdio>

namespace lockctl {

namespace json = lockui::json;
using lockui::eventJson;

using namespace std::chrono_literals;
using app::shown;
using app::Words;
using lockcore::MonoTime;
using lockcore::monitor::Event;
using lockcore::monitor::Feed;
using lockcore::monitor::LockState;
using lockcore::monitor::Snapshot;
using lockcore::monitor::SourcePhase;
using lockcore::service::Monitor;

namespace {

constexpr auto FrameEvery = 250ms;

constexpr const char *SecondScreen = "\x1b[?1049h\x1b[?25l";
constexpr const char *FirstScreen = "\x1b[?25h\x1b[?1049l";
constexpr const char *Home = "\x1b[H";
constexpr const char *EndOfLine = "\x1b[K\r\n";
constexpr const char *EndOfScreen = "\x1b[J";

QString statusLine(const Snapshot &snapshot, std::size_t shownLocks, MonoTime now)
{
    const lockcore::monitor::SourceStatus &status = snapshot.status;
    const QString error = status.error ? lockui::errorDetail(*status.error) : QString();
    const QString server = shown(status.server);
    const QString feed = status.feed == Feed::None ? Words::tr("no feed") : lockui::feedText(status.feed);
    switch (status.phase) {
    case SourcePhase::Connecting:
        return Words::tr("%1 · connecting").arg(server);
    case SourcePhase::Sweeping:
        return Words::tr("%1 · first sweep, %2 %").arg(server).arg(static_cast<int>(status.sweepProgress * 100));
    case SourcePhase::Live:
        return (status.feedLimited ? Words::tr("%1 · live · %2, limited · %3") : Words::tr("%1 · live · %2 · %3"))
            .arg(server, feed, lockui::locksText(static_cast<std::int64_t>(shownLocks)));
    case SourcePhase::Stale:
        return Words::tr("%1 · STALE for %2, shown as it was then · %3")
            .arg(server, lockui::ttlText(std::chrono::floor<lockcore::Millis>(now - status.staleSince.value_or(now))),
                error);
    case SourcePhase::Failed:
        break;
    }
    return Words::tr("%1 · FAILED · %2").arg(server, error);
}

/// What is not seen; empty: nothing is left out.
QString secondLine(const lockcore::monitor::SourceStatus &status)
{
    if (!status.aclLine.empty())
        return Words::tr("rights are missing: %1").arg(shown(status.aclLine));
    return status.feed == Feed::Rereading ? lockui::feedReasonText(status) : QString();
}

/// Most waited for first; among equals by name, so that lines keep their place.
void sortByWaiting(Locks &locks)
{
    std::stable_sort(locks.begin(), locks.end(), [](const auto &left, const auto &right) {
        return lockcore::monitor::waitingCount(*left).value_or(0) > lockcore::monitor::waitingCount(*right).value_or(0);
    });
}

} // namespace

LiveTable::LiveTable(lockcore::service::Monitor &monitor, lockcore::monitor::LockFilter filter)
    : m_monitor(monitor)
    , m_filter(std::move(filter))
{
    std::fputs(SecondScreen, stdout);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { draw(); });
    m_timer.start(FrameEvery);
    draw();
}

LiveTable::~LiveTable()
{
    std::fputs(FirstScreen, stdout);
    std::fflush(stdout);
}

void LiveTable::draw() const
{
    const auto snapshot = m_monitor.latest();
    const TerminalSize size = terminalSize().value_or(TerminalSize());
    const MonoTime now = lockcore::transport::monoNow();
    const MonoTime shownAt = snapshot->status.staleSince.value_or(now);
    Locks locks;
    for (const auto &lock : snapshot->locks) {
        if (m_filter.matches(*lock, shownAt))
            locks.push_back(lock);
    }
    sortByWaiting(locks);

    std::vector<std::string> lines{ lockui::elided(
                                        statusLine(*snapshot, locks.size(), now).toStdString(), size.columns),
        lockui::elided(secondLine(snapshot->status).toStdString(), size.columns) };
    const auto room = static_cast<std::size_t>(std::max(1, size.rows - 4));
    const std::size_t hidden = locks.size() > room ? locks.size() - room : 0;
    locks.resize(locks.size() - hidden);
    for (std::string &line : lockTable(locks, tableView(*snapshot, shownAt), size.columns))
        lines.push_back(std::move(line));
    if (hidden > 0)
        lines.push_back(Words::tr("and %n more", nullptr, static_cast<int>(hidden)).toStdString());

    std::string frame = Home;
    for (std::size_t i = 0; i < lines.size(); ++i)
        frame += lines[i] + (i + 1 < lines.size() ? EndOfLine : "\x1b[K");
    std::fputs((frame + EndOfScreen).c_str(), stdout);
    std::fflush(stdout);
}

namespace {

/// What a filter can go by when the lock itself is gone.
LockState asFarAsTold(const Event &event)
{
    LockState lock;
    lock.name = event.lock;
    lock.kind = event.lockKind.value_or(lock.kind);
    if (event.owner) {
        lock.holders.push_back({});
        lock.holders.front().owner = *event.owner;
    }
    return lock;
}

} // namespace

std::string eventText(const Event &event, bool areCopies)
{
    std::string text = QDateTime::fromMSecsSinceEpoch(event.at.time_since_epoch().count())
                           .toString(QStringLiteral("HH:mm:ss.zzz"))
                           .toStdString();
    text += "  " + lockui::eventText(event).toStdString();
    if (!event.lock.empty())
        text += "  " + lockui::printable(event.lock);
    if (event.owner)
        text += "  " + lockui::printable(toString(*event.owner));
    lockui::EventContext context;
    context.copies = areCopies ? lockui::Copies::NotKnown : lockui::Copies::None;
    if (const std::string meaning = lockui::eventMeaning(event, context).toStdString(); !meaning.empty())
        text += "  " + meaning;
    return text;
}

Watch::Watch(WatchRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_monitor(monitorOptions(globals))
{
    connect(&m_monitor, &Monitor::snapshotReady, this, &Watch::followConnection);
    connect(&m_reader, &ReaderWatch::gone, this, [this] { Q_EMIT finished(app::Done); });
}

void Watch::start(const lockcore::transport::Deployment &deployment)
{
    m_areCopies = deployment.topology == lockcore::transport::Topology::Nodes;
    if (!m_asJson && terminalSize())
        m_table.emplace(m_monitor, m_request.filter);
    else
        connect(&m_monitor, &Monitor::eventsReported, this, [this](const lockcore::monitor::EventList &events) {
            for (const Event &event : *events)
                report(event);
        });
    m_monitor.setFeed(m_request.feed);
    m_monitor.open(deployment);
}

void Watch::report(const Event &event)
{
    if (isWanted(event) && !printLine(m_asJson ? json::line(eventJson(event)) : eventText(event, m_areCopies)))
        Q_EMIT finished(app::Done);
}

bool Watch::isWanted(const Event &event) const
{
    if (m_request.filter.isEmpty() || event.lock.empty())
        return true;
    const auto snapshot = m_monitor.latest();
    const LockState *lock = findLock(*snapshot, event.lock);
    const LockState gone = asFarAsTold(event);
    return m_request.filter.matches(lock != nullptr ? *lock : gone, lockcore::transport::monoNow());
}

void Watch::followConnection()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::monitor::SourceStatus &status = snapshot->status;
    const lockcore::Error error = status.error.value_or(lockcore::Error());
    if (!m_table) {
        m_note.tell(status);
        m_note.tellFeed(status);
    }
    if (status.phase == SourcePhase::Failed && !StatusNote::isOpen(status)) {
        m_table.reset();
        m_note.tell(status);
        fail(error);
    } else if (!m_table) {
        m_note.tellLoss(status);
    }
}

} // namespace lockctl
