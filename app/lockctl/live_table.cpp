// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/live_table.h"

#include "app/common/words.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/lock_table.h"
#include "lockcore/transport/clock.h"
#include "ui/text/error_text.h"
#include "ui/text/feed_text.h"
#include "ui/text/node_text.h"

#include <algorithm>
#include <cstdio>

namespace lockctl {

using namespace std::chrono_literals;
using app::shown;
using app::Words;
using lockcore::MonoTime;
using lockcore::monitor::Feed;
using lockcore::monitor::Snapshot;
using lockcore::monitor::SourcePhase;

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

} // namespace lockctl
