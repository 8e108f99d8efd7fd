// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/lock_fetcher.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/pipelined_reader.h"
#include "lockcore/transport/clock.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

using protocol::Reply;

namespace {

constexpr int KeysAtFirst = 300; // of each walk on a page, until the server has told how long that takes: the first
                                 // page has the script compiled, too
constexpr int FewestKeys = 100;
constexpr int MostKeys = 2'000;
constexpr std::chrono::microseconds TimeOfAPage{ 1'000 }; // of the server, which does nothing else meanwhile

void toOurTime(LockReading &reading, Millis ahead)
{
    const auto adjust = [ahead](std::optional<WallTime> &time) {
        if (time)
            *time -= ahead;
    };
    for (HolderReading &holder : reading.holders)
        adjust(holder.heldUntil);
    for (WaiterReading &waiter : reading.waiters)
        adjust(waiter.deadline);
    if (reading.permits) {
        for (PermitReading &permit : reading.permits->leases)
            adjust(permit.deadline);
    }
}

void toOurTime(EngineInput &input, Millis ahead)
{
    std::vector<LockReading> *readings = nullptr;
    if (auto *read = std::get_if<input::LocksRead>(&input))
        readings = &read->readings;
    else if (auto *page = std::get_if<input::PageScanned>(&input))
        readings = &page->page.readings;
    if (!readings || ahead == Millis{ 0 })
        return;
    for (LockReading &reading : *readings)
        toOurTime(reading, ahead);
}

} // namespace

/// A page of a sweep that was asked for.
struct LockFetcher::Page {
    SweepPosition from;
    int keys = 0;
    MonoTime sentAt;
    std::optional<action::ScanPage> wanted{}; // by the engine; absent: not yet
    std::optional<input::PageScanned> found{}; // before it was wanted
};

/// A page that is asked for without scripts.
struct LockFetcher::Scans {
    action::ScanPage scan;
    int keys = 0;
    std::size_t expected = 0;
    std::vector<Reply> replies{};
    std::optional<Error> failed{};
};

/// One batch being read in rounds of commands.
struct LockFetcher::Rounds {
    WorkId id{};
    MonoTime sentAt;
    PipelinedReader reader;
    std::vector<Reply> replies;
    std::size_t expected = 0;
    bool failed = false;
    Seen seen;
};

LockFetcher::LockFetcher(Connection &connection, MissingRights &rights, const std::string &keyPattern,
    TokenNames tokenNames, IsOurs isOurs, ServerClock &clock, Answer answer, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_rights(rights)
    , m_walks(sweepWalks(keyPattern, tokenNames))
    , m_tokenNames(std::move(tokenNames))
    , m_keysOfAPage(KeysAtFirst)
    , m_clock(clock)
    , m_answer([&clock, answer = std::move(answer)](EngineInput input) {
        toOurTime(input, clock.ahead(readClocks()));
        answer(std::move(input));
    })
    , m_channels(connection, std::move(isOurs), m_answer, [this] { missing(Right::CountWaiters); })
{
}

void LockFetcher::lookOnlyAt(LockName name, std::shared_ptr<SingleLockSearch> search)
{
    m_only = std::move(name);
    m_search = std::move(search);
}

void LockFetcher::reset()
{
    m_byScript = m_connection.serverInfo().version.empty() || m_connection.serverInfo().atLeast(7, 0);
    m_ahead = nullptr;
    m_keysOfAPage = KeysAtFirst;
    m_asksForMovingSlots = isInCluster();
    m_channels.reset();
}

void LockFetcher::lost()
{
    if (isSlotOwnerOfSearched())
        m_search->slotOwnerIsLost();
}

void LockFetcher::read(action::ReadLocks read)
{
    look(std::move(read), [this](EngineInput input) {
        if (isSlotOwnerOfSearched() && std::holds_alternative<input::LocksRead>(input))
            m_search->slotOwnerSaid(isElsewhere(input));
        m_answer(std::move(input));
    });
}

void LockFetcher::look(action::ReadLocks read, Seen seen)
{
    if (m_byScript)
        readByScript(std::move(read), std::move(seen));
    else
        readPipelined(std::move(read), std::move(seen));
}

bool LockFetcher::isSlotOwnerOfSearched() const
{
    return m_search && m_search->isKeptBy(m_connection.endpoint().display());
}

/// Not for want of rights.
bool LockFetcher::isElsewhere(const EngineInput &look) const
{
    const auto *read = std::get_if<input::LocksRead>(&look);
    return read && read->readings.empty() && !read->refused.empty() && !m_rights.lacks(Right::ReadKeys)
        && !m_rights.lacks(Right::ReadCommands);
}

WallTime LockFetcher::serverNow() const
{
    const Now now = readClocks();
    return now.wall + m_clock.ahead(now);
}

bool LockFetcher::isInCluster() const { return m_connection.serverInfo().mode == "cluster"; }

/// Sees also what slots have that are still moving to this node.
Asking LockFetcher::askingForMovingSlots()
{
    return { m_asksForMovingSlots, [this](const Result<Reply> &reply) {
                if (reply && reply->isError() && std::exchange(m_asksForMovingSlots, false))
                    missing(Right::MovingSlots);
            } };
}

void LockFetcher::readByScript(action::ReadLocks read, Seen seen)
{
    const auto sentAt = monoNow();
    auto keys = read.names;
    auto arguments = readLocksArguments(serverNow(), !m_rights.lacks(Right::Time), keys, m_tokenNames);
    if (isInCluster()) { // KEYS have to be of one slot there
        arguments.insert(arguments.end(), keys.begin(), keys.end());
        keys.clear();
    }
    auto answered = [this, sentAt, read = std::move(read), seen = std::move(seen)](Result<Reply> reply) mutable {
        if (refusesScripts(reply))
            return readPipelined(std::move(read), std::move(seen));
        if (!reply)
            return seen(input::WorkFailed{ read.read });
        input::LocksRead found{ read.read, {}, sentAt, namesElsewhere(read.names, *reply),
            namesForLater(read.names, *reply), false, namesUnread(read.names, *reply),
            timeOfLooks(read.names, *reply) };
        auto readings = decodeReadLocks(read.names, std::move(*reply), Recognition::OrDamaged, m_tokenNames);
        if (!readings)
            return seen(input::WorkFailed{ read.read });
        found.readings = std::move(*readings);
        seen(std::move(found));
    };
    m_connection.eval(readLocksScript(), keys, arguments, std::move(answered), askingForMovingSlots());
}

void LockFetcher::readPipelined(action::ReadLocks read, Seen seen)
{
    nextRound(std::make_shared<Rounds>(Rounds{ read.read, monoNow(),
        PipelinedReader(std::move(read.names), serverNow(), m_tokenNames), {}, 0, false, std::move(seen) }));
}

void LockFetcher::nextRound(std::shared_ptr<Rounds> rounds)
{
    auto commands = rounds->reader.next();
    if (commands.empty())
        return finish(*rounds);
    rounds->expected = commands.size();
    for (auto &command : commands) {
        auto answered = [this, rounds](Result<Reply> reply) {
            rounds->failed = rounds->failed || !reply;
            rounds->replies.push_back(reply ? std::move(*reply) : Reply{});
            if (rounds->replies.size() < rounds->expected)
                return;
            auto replies = std::exchange(rounds->replies, {});
            if (rounds->failed || !rounds->reader.feed(std::move(replies)))
                rounds->seen(input::WorkFailed{ rounds->id });
            else
                nextRound(rounds);
        };
        m_connection.send(std::move(command), std::move(answered), askingForMovingSlots());
    }
}

void LockFetcher::scan(action::ScanPage scan)
{
    if (m_only)
        scanOnly(scan);
    else if (m_byScript)
        scanByScript(scan);
    else
        scanPipelined(std::move(scan));
}

void LockFetcher::scanOnly(const action::ScanPage &scan)
{
    const auto page = [this, scan](std::vector<LockName> found) {
        return input::PageScanned{ scan.scan, SweepPage{ .next = end(), .candidates = std::move(found) }, m_byScript };
    };
    if (!m_search || isSlotOwnerOfSearched())
        return m_answer(page({ *m_only }));
    m_search->whenSlotOwnerSaid(this, [this, scan, page](bool mayBeHere) {
        if (mayBeHere)
            lookHere(scan);
        else
            m_answer(page({}));
    });
}

/// As a page with a look: a mere name of a slot that is another's would not be read.
void LockFetcher::lookHere(const action::ScanPage &scan)
{
    look({ {}, { *m_only } }, [this, scan](EngineInput input) {
        auto *read = std::get_if<input::LocksRead>(&input);
        if (!read)
            return m_answer(input::WorkFailed{ scan.scan });
        m_search->otherSaid(!read->readings.empty());
        m_answer(input::PageScanned{
            scan.scan, SweepPage{ .next = end(), .readings = std::move(read->readings) }, m_byScript, read->sentAt });
    });
}

SweepPosition LockFetcher::end() const { return { std::vector<std::string>(m_walks.size()) }; }

/// Where nobody waits for the end, others are to wait for a page as little as can be.
int LockFetcher::keysOf(const action::ScanPage &scan) const
{
    return scan.atOnce ? m_keysOfAPage : std::min(m_keysOfAPage, FewestKeys);
}

/// In steps, since what takes long now and then is the machine's doing.
void LockFetcher::adaptPages(const Page &page, std::chrono::microseconds took)
{
    const auto wanted = page.keys * TimeOfAPage.count() / std::max<std::int64_t>(took.count(), 1);
    const std::int64_t least = std::max(page.keys * 2 / 3, FewestKeys);
    const std::int64_t most = std::clamp(page.keys * 4 / 3, FewestKeys, MostKeys);
    if (page.keys == m_keysOfAPage)
        m_keysOfAPage = static_cast<int>(std::clamp(wanted, std::min(least, most), most));
}

void LockFetcher::scanByScript(const action::ScanPage &scan)
{
    auto page = std::exchange(m_ahead, nullptr);
    if (!page || !scan.atOnce || page->from != scan.from)
        page = ask(scan.from, keysOf(scan));
    page->wanted = scan;
    if (page->found)
        answer(*page, std::move(*page->found));
}

std::shared_ptr<LockFetcher::Page> LockFetcher::ask(SweepPosition from, int keys)
{
    auto page = std::make_shared<Page>(Page{ .from = std::move(from), .keys = keys, .sentAt = monoNow() });
    const auto arguments = sweepPageArguments(m_walks, page->from, keys, !m_rights.lacks(Right::Time));
    m_connection.eval(
        sweepPageScript(), {}, arguments, [this, page](Result<Reply> reply) { came(page, std::move(reply)); },
        askingForMovingSlots());
    return page;
}

void LockFetcher::came(const std::shared_ptr<Page> &page, Result<Reply> reply)
{
    if (!page->wanted && page != m_ahead)
        return; // given up
    const auto failed = [&] {
        if (page == m_ahead)
            m_ahead = nullptr;
        if (page->wanted)
            m_answer(input::WorkFailed{ page->wanted->scan });
    };
    if (refusesScripts(reply)) {
        m_ahead = nullptr;
        return page->wanted ? scanPipelined(*page->wanted) : void();
    }
    const auto head = reply ? headOfSweepPage(*reply) : std::nullopt;
    if (!head || head->next.cursors.size() != m_walks.size())
        return failed();
    if (head->took)
        adaptPages(*page, *head->took);
    // While the server is at the next page, there is time to deal with this one.
    if (page->wanted && page->wanted->atOnce && !head->next.isAtEnd()) {
        m_ahead = ask(head->next, m_keysOfAPage);
        m_connection.flush();
    }
    auto found = decodeSweepPage(std::move(*reply), Recognition::OrDamaged);
    if (!found)
        return failed();
    found->keysPassed = page->keys;
    input::PageScanned scanned{ {}, std::move(*found), true, page->sentAt };
    if (page->wanted)
        return answer(*page, std::move(scanned));
    // When it is wanted at last, others may have looked at these locks since.
    for (auto &reading : scanned.page.readings)
        scanned.page.candidates.push_back(std::move(reading.name));
    scanned.page.readings.clear();
    page->found = std::move(scanned);
}

void LockFetcher::answer(const Page &page, input::PageScanned scanned)
{
    scanned.scan = page.wanted->scan;
    m_answer(std::move(scanned));
}

void LockFetcher::scanPipelined(action::ScanPage scan)
{
    if (scan.from.cursors.empty())
        m_connection.send({ "DBSIZE" }, [this](const Result<Reply> &reply) {
            const auto *keys = reply ? reply->integer() : nullptr;
            m_keys = keys ? *keys : 0;
        });
    const int keys = keysOf(scan);
    auto commands = scanCommands(m_walks, scan.from, keys);
    const auto scans
        = std::make_shared<Scans>(Scans{ .scan = std::move(scan), .keys = keys, .expected = commands.size() });
    for (auto &command : commands) {
        m_connection.send(std::move(command), [this, scans](Result<Reply> reply) {
            if (!reply)
                scans->failed = reply.error();
            scans->replies.push_back(reply ? std::move(*reply) : Reply{});
            if (scans->replies.size() == scans->expected)
                came(*scans);
        });
    }
}

void LockFetcher::came(const Scans &scans)
{
    auto page = scans.failed ? tl::unexpected(*scans.failed) : decodeScans(m_walks, scans.scan.from, scans.replies);
    if (!page) {
        const bool refused = std::ranges::any_of(scans.replies, isPermissionError);
        if (refused)
            missing(Right::Scan);
        return m_answer(input::WorkFailed{ scans.scan.scan, refused });
    }
    page->keysSeen = m_keys;
    page->keysPassed = scans.keys;
    m_answer(input::PageScanned{ scans.scan.scan, std::move(*page), false });
}

void LockFetcher::listChannels()
{
    if (m_only)
        m_channels.listOnly(*m_only);
    else
        m_channels.list();
}

/// True: scripts are not for us; whatever was asked has to be asked in other words.
bool LockFetcher::refusesScripts(const Result<Reply> &reply)
{
    if (!reply || !reply->isError())
        return false;
    const auto &text = reply->error()->text;
    const auto code = protocol::toError(*reply, {}).code;
    const bool refused = code == ErrorCode::PermissionDenied;
    const bool isUnableTo = code == ErrorCode::ServerOther && text.starts_with("ERR "); // and not only for a while
    if (!refused && !isUnableTo)
        return false;
    // Whatever else may not be done inside of a script shows when it is asked for outside.
    if (std::exchange(m_byScript, false) && refused && text.find("'eval") != text.npos)
        missing(Right::ReadScripts);
    return true;
}

void LockFetcher::finish(Rounds &rounds)
{
    const auto &refusals = rounds.reader.refusals();
    if (refusals.keys)
        missing(Right::ReadKeys);
    if (refusals.commands)
        missing(Right::ReadCommands);
    auto refused = refusals.names;
    auto unread = rounds.reader.unread();
    rounds.seen(input::LocksRead{ rounds.id, rounds.reader.take(Recognition::OrDamaged), rounds.sentAt,
        std::move(refused), {}, false, std::move(unread) });
}

void LockFetcher::missing(Right right)
{
    if (m_rights.lacks(right))
        return;
    m_rights.add(right);
    Q_EMIT rightMissing();
}

} // namespace lockcore::service
