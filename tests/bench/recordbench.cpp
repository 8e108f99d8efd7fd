// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/player.h"
#include "lockcore/recording/recording_writer.h"
#include "tests/bench/rounds.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonObject>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <random>

using namespace Qt::StringLiterals;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using lockbench::percentile;

namespace {

constexpr auto Start = WallTime(Millis(1'763'700'000'000));
constexpr std::size_t Corners = 32;

/// Fair and reentrant locks under watchdogs that are renewed, taken and released all the time.
class Load {
public:
    Load(int locks, int changesOfSnapshot)
        : m_changesOfSnapshot(changesOfSnapshot)
    {
        std::vector<LockList::Pointer> all;
        for (int i = 0; i < locks; ++i)
            all.push_back(lock(i, nullptr, now()));
        m_locks = all;
    }

    Now now() const { return { MonoTime(Start.time_since_epoch() + m_passed), Start + m_passed }; }

    RecordingQueue::Content next()
    {
        m_passed += 50ms;
        auto events = std::make_shared<std::vector<Event>>();
        for (int i = 0; i < m_changesOfSnapshot; ++i) {
            const auto place = m_random() % m_locks.size();
            const auto changed = lock(static_cast<int>(place), m_locks[place].get(), now());
            m_locks.apply({ { changed->name, changed } });
            events->push_back({ now().wall, EventKind::Renewed, changed->name, changed->kind,
                changed->holders.front().owner, 1, Millis(30'000), changed->node, Certainty::Seen });
        }
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = now();
        snapshot->status.phase = SourcePhase::Live;
        snapshot->status.rates.renewals = double(m_random() % 5'000);
        snapshot->locks = m_locks;
        return { { std::move(snapshot) }, { { std::move(events), now() } } };
    }

private:
    std::shared_ptr<const LockState> lock(int number, const LockState *before, Now now)
    {
        auto lock = std::make_shared<LockState>();
        lock->name = QStringLiteral("inventory:sku:%1").arg(number, 7, 10, QLatin1Char('0')).toStdString();
        lock->kind = number % 4 == 0 ? Kind::Fair : Kind::Reentrant;
        lock->holders = { { { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", std::to_string(number % 90) }, 1, now.mono + 30s,
            { now.mono - 5s, true }, std::nullopt } };
        lock->expiresAt = now.mono + 30s;
        lock->leaseSeen = Millis(30'000);
        lock->lease = Lease::Watchdog;
        lock->renewals = before != nullptr ? before->renewals + 1 : 0;
        lock->subscribers = 3;
        lock->hasMainKey = true;
        lock->otherKeys = { "redisson_lock_queue:{" + lock->name + "}" };
        lock->node = "127.0.0.1:7002";
        lock->readAt = now.wall;
        lock->readAtMono = now.mono;
        lock->lastChange = { now.mono, EventKind::Renewed, Certainty::Seen };
        auto corners = before != nullptr ? ttlHistoryOf(*before) : std::vector<TtlCorner>();
        if (corners.size() == Corners)
            corners.erase(corners.begin());
        corners.push_back({ now.mono, Millis(20'000), Millis(30'000), true });
        lock->ttlHistory = std::move(corners);
        return lock;
    }

    int m_changesOfSnapshot;
    std::minstd_rand m_random{ 1 };
    Millis m_passed{ 0 };
    LockList m_locks;
};

struct Figures {
    double writeSeconds = 0;
    double fileMegabytes = 0;
    double openMs = 0;
    std::vector<double> jumpMs; // sorted, as the others
    std::vector<double> jumpCpuMs; // of the processor alone, whatever else the machine does
    std::vector<double> countedMs; // the first jump of all, with what was counted until there
    std::vector<double> playMs; // a step of 50 ms
    std::vector<double> stepMs; // to the next event
};

template <typename Action>
double milliseconds(Action action)
{
    QElapsedTimer timer;
    timer.start();
    action();
    return double(timer.nsecsElapsed()) / 1e6;
}

bool complain(const Error &error)
{
    std::fprintf(stderr, "recordbench: %s\n", toString(error).c_str());
    return false;
}

bool write(const QString &file, int locks, int events, int changesOfSnapshot, Figures &figures)
{
    Load load(locks, changesOfSnapshot);
    auto recorder = RecordingWriter::open(file, {}, load.now());
    if (!recorder)
        return complain(recorder.error());
    Result<void> written;
    for (int done = 0; done < events && written;) {
        RecordingQueue::Content content;
        for (int i = 0; i < 8; ++i, done += changesOfSnapshot) { // as the writer of the program takes them
            auto next = load.next();
            content.snapshots.push_back(next.snapshots.front());
            content.reports.push_back(next.reports.front());
        }
        figures.writeSeconds += milliseconds([&] { written = (*recorder)->write(content, load.now()); }) / 1'000;
    }
    return written || complain(written.error());
}

/// Each by a player of its own: what was counted is kept, so that only the first jump is dear.
bool readCounted(const QString &file, Figures &figures)
{
    constexpr int Jumps = 10;
    for (int i = 1; i <= Jumps; ++i) {
        const auto player = Player::open(file);
        if (!player)
            return complain(player.error());
        const auto [first, last] = (*player)->span();
        const MonoTime moment = first + (last - first) * i / Jumps;
        figures.countedMs.push_back(milliseconds([&] {
            MonoTime from = first;
            (void)(*player)->at(moment);
            (void)(*player)->waitCounts(from, moment);
        }));
    }
    std::sort(figures.countedMs.begin(), figures.countedMs.end());
    return true;
}

bool read(const QString &file, Figures &figures)
{
    std::unique_ptr<Player> player;
    Result<void> done;
    figures.openMs = milliseconds([&] {
        auto opened = Player::open(file);
        if (!opened) {
            done = tl::unexpected(opened.error());
            return;
        }
        player = std::move(*opened);
        (void)player->density(2'000);
        (void)player->gaps();
        if (!player->at(player->span().first))
            done = failure(ErrorCode::FileFailed, "the recording cannot be read");
    });
    if (!done)
        return complain(done.error());
    const auto [first, last] = player->span();
    std::minstd_rand random(2);
    for (int i = 0; i < 200; ++i) {
        const MonoTime moment = first + (last - first) * static_cast<int>(random() % 10'000) / 10'000;
        const std::clock_t before = std::clock();
        figures.jumpMs.push_back(milliseconds([&] { (void)player->at(moment); }));
        figures.jumpCpuMs.push_back(double(std::clock() - before) * 1'000 / CLOCKS_PER_SEC);
        figures.playMs.push_back(milliseconds([&] { (void)player->at(moment + 50ms); }));
        figures.stepMs.push_back(milliseconds([&] { (void)player->nextEvent(moment); }));
    }
    for (auto *each : { &figures.jumpMs, &figures.jumpCpuMs, &figures.playMs, &figures.stepMs })
        std::sort(each->begin(), each->end());
    return true;
}

void print(const Figures &figures, int locks, int events)
{
    std::printf("%d events of %d locks: %.1f MB, %.0f bytes an event\n", events, locks, figures.fileMegabytes,
        figures.fileMegabytes * 1e6 / events);
    std::printf(
        "written in             %8.1f s (%.0f events/s)\n", figures.writeSeconds, events / figures.writeSeconds);
    std::printf("opened in              %8.1f ms (to reach: 1000)\n", figures.openMs);
    const std::pair<const char *, const std::vector<double> *> rows[] = { { "a jump (to reach: 100)", &figures.jumpMs },
        { "  of the processor", &figures.jumpCpuMs }, { "  with what was counted", &figures.countedMs },
        { "50 ms further", &figures.playMs }, { "to the next event", &figures.stepMs } };
    for (const auto &[name, values] : rows)
        std::printf("%-23s %7.1f ms median, %.1f p99, %.1f longest\n", name, percentile(*values, 0.5),
            percentile(*values, 0.99), values->back());
}

QJsonObject json(const Figures &figures, int locks, int events)
{
    return { { u"events"_s, events }, { u"locks"_s, locks }, { u"megabytes"_s, figures.fileMegabytes },
        { u"writeSeconds"_s, figures.writeSeconds }, { u"openMs"_s, figures.openMs },
        { u"jumpMsMedian"_s, percentile(figures.jumpMs, 0.5) }, { u"jumpMsLongest"_s, figures.jumpMs.back() },
        { u"countedMsMedian"_s, percentile(figures.countedMs, 0.5) },
        { u"countedMsLongest"_s, figures.countedMs.back() }, { u"playMsMedian"_s, percentile(figures.playMs, 0.5) },
        { u"stepMsMedian"_s, percentile(figures.stepMs, 0.5) } };
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser options;
    options.setApplicationDescription(u"Measures writing, opening and scrubbing of a long recording."_s);
    options.addHelpOption();
    options.addOptions({ { u"events"_s, u"How many."_s, u"N"_s, u"1000000"_s },
        { u"locks"_s, u"Of how many locks."_s, u"N"_s, u"10000"_s },
        { u"changes"_s, u"Of how many a snapshot tells."_s, u"N"_s, u"250"_s }, // 5,000 a second
        { u"json"_s, u"Writes the figures there."_s, u"FILE"_s } });
    options.process(app);
    const int events = lockbench::atLeastOne(options, u"events"_s);
    const int locks = lockbench::atLeastOne(options, u"locks"_s);
    const int changes = lockbench::atLeastOne(options, u"changes"_s);

    const QTemporaryDir folder;
    const QString file = folder.filePath(u"it.lockrec"_s);
    Figures figures;
    if (!write(file, locks, events, changes, figures))
        return 1;
    figures.fileMegabytes = double(QFileInfo(file).size()) / 1e6;
    if (!read(file, figures) || !readCounted(file, figures))
        return 1;
    print(figures, locks, events);
    const QString report = options.value(u"json"_s);
    return report.isEmpty() || lockbench::write(report, json(figures, locks, events)) ? 0 : 1;
}
