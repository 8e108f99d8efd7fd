// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/live_table.h"

#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/lock_table.h"
#include "lockcore/base/enum_table.h"
#include "lockcore/client/clock.h"
#include "lockcore/monitor/words.h"

#include <algorithm>
#include <cstdio>

namespace lockctl {

using namespace std::chrono_literals;
using lockcore::Feed;
using lockcore::MonoTime;
using lockcore::Snapshot;
using lockcore::SourcePhase;

namespace {

constexpr auto FrameEvery = 250ms;

constexpr const char *SecondScreen = "\x1b[?1049h\x1b[?25l";
constexpr const char *FirstScreen = "\x1b[?25h\x1b[?1049l";
constexpr const char *Home = "\x1b[H";
constexpr const char *EndOfLine = "\x1b[K\r\n";
constexpr const char *EndOfScreen = "\x1b[J";

constexpr lockcore::TextRow<Feed> FeedTexts[]{
    { Feed::None, "no feed" },
    { Feed::ClientTracking, "client tracking" },
    { Feed::KeyspaceNotifications, "keyspace notifications" },
    { Feed::Rereading, "re-reading" },
};
static_assert(hasRowForEach(FeedTexts));

std::string statusLine(const Snapshot &snapshot, std::size_t shown, MonoTime now)
{
    const lockcore::SourceStatus &status = snapshot.status;
    const std::string counts = lockcore::counted(static_cast<std::int64_t>(shown), "lock");
    const std::string error = status.error ? app::printable(toString(*status.error)) : std::string();
    const std::string server = app::printable(status.server);
    switch (status.phase) {
    case SourcePhase::Connecting:
        return server + " · connecting";
    case SourcePhase::Sweeping:
        return server + " · first sweep, " + std::to_string(static_cast<int>(status.sweepProgress * 100)) + " %";
    case SourcePhase::Live:
        return server + " · live · " + rowOf(FeedTexts, status.feed).text + (status.feedLimited ? ", limited" : "")
            + " · " + counts;
    case SourcePhase::Stale:
        return server + " · STALE for "
            + durationText(std::chrono::floor<lockcore::Millis>(now - status.staleSince.value_or(now)))
            + ", shown as it was then · " + error;
    case SourcePhase::Failed:
        break;
    }
    return server + " · FAILED · " + error;
}

/// What is not seen; empty: nothing is left out.
std::string secondLine(const lockcore::SourceStatus &status)
{
    if (!status.aclLine.empty())
        return "rights are missing: " + app::printable(status.aclLine);
    return status.feed == Feed::Rereading ? app::printable(status.feedReason) : std::string();
}

/// Most waited for first; among equals by name, so that lines keep their place.
void sortByWaiting(Locks &locks)
{
    std::stable_sort(locks.begin(), locks.end(), [](const auto &left, const auto &right) {
        return lockcore::waitingCount(*left).value_or(0) > lockcore::waitingCount(*right).value_or(0);
    });
}

} // namespace

LiveTable::LiveTable(lockcore::Monitor &monitor, lockcore::LockFilter filter)
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
    const MonoTime now = lockcore::monoNow();
    const MonoTime shownAt = snapshot->status.staleSince.value_or(now);
    Locks locks;
    for (const auto &lock : snapshot->locks) {
        if (m_filter.matches(*lock, shownAt))
            locks.push_back(lock);
    }
    sortByWaiting(locks);

    std::vector<std::string> lines{ app::elided(statusLine(*snapshot, locks.size(), now), size.columns),
        app::elided(secondLine(snapshot->status), size.columns) };
    const auto room = static_cast<std::size_t>(std::max(1, size.rows - 4));
    const std::size_t hidden = locks.size() > room ? locks.size() - room : 0;
    locks.resize(locks.size() - hidden);
    for (std::string &line : lockTable(locks, tableView(*snapshot, shownAt), size.columns))
        lines.push_back(std::move(line));
    if (hidden > 0)
        lines.push_back("and " + std::to_string(hidden) + " more");

    std::string frame = Home;
    for (std::size_t i = 0; i < lines.size(); ++i)
        frame += lines[i] + (i + 1 < lines.size() ? EndOfLine : "\x1b[K");
    std::fputs((frame + EndOfScreen).c_str(), stdout);
    std::fflush(stdout);
}

} // namespace lockctl
