// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/lock_fetcher.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/lock_reader.h"

#include <algorithm>
#include <array>

namespace lockcore {

using protocol::Command;
using protocol::Reply;

namespace {

constexpr const char *End = "0"; // and the beginning

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
    action::ScanPage scan;
    int keys = 0;
    MonoTime sentAt;
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

LockFetcher::LockFetcher(Connection &connection, MissingRights &rights, std::string keyPattern, int sweepCount,
    IsOurs isOurs, ServerClock &clock, Answer answer, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_rights(rights)
    , m_keyPattern(std::move(keyPattern))
    , m_clock(clock)
    , m_answer([&clock, answer = std::move(answer)](EngineInput input) {
        toOurTime(input, clock.ahead(readClocks()));
        answer(std::move(input));
    })
    , m_channels(connection, std::move(isOurs), m_answer, [this] { missing(Right::CountWaiters); })
    , m_pace(sweepCount)
{
}

void LockFetcher::lookOnlyAt(LockName name, std::shared_ptr<SingleLockSearch> sought)
{
    m_only = std::move(name);
    m_search = std::move(sought);
}

void LockFetcher::reset()
{
    m_byScript = m_connection.serverInfo().version.empty() || m_connection.serverInfo().atLeast(7, 0);
    m_ahead = {};
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
void LockFetcher::eval(const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, Connection::ReplyHandler handler)
{
    if (m_asksForMovingSlots)
        m_connection.evalAfterAsking(script, keys, arguments, std::move(handler), hearAsking());
    else
        m_connection.eval(script, keys, arguments, std::move(handler));
}

Connection::ReplyHandler LockFetcher::hearAsking()
{
    return [this](const Result<Reply> &reply) {
        if (reply && reply->isError() && std::exchange(m_asksForMovingSlots, false))
            missing(Right::MovingSlots);
    };
}

void LockFetcher::readByScript(action::ReadLocks read, Seen seen)
{
    const auto sentAt = monoNow();
    auto keys = read.names;
    auto arguments = readLocksArguments(serverNow(), !m_rights.lacks(Right::Time));
    if (isInCluster()) { // KEYS have to be of one slot there
        arguments.insert(arguments.end(), keys.begin(), keys.end());
        keys.clear();
    }
    auto answered = [this, sentAt, read = std::move(read), seen = std::move(seen)](Result<Reply> reply) mutable {
        if (refusesScripts(reply))
            return readPipelined(std::move(read), std::move(seen));
        auto readings
            = reply ? decodeReadLocks(read.names, *reply, Recognition::OrDamaged) : tl::unexpected(reply.error());
        if (!readings)
            return seen(input::WorkFailed{ read.read });
        seen(input::LocksRead{ read.read, std::move(*readings), sentAt, namesElsewhere(read.names, *reply),
            namesForLater(read.names, *reply), false, namesUnread(read.names, *reply),
            timeOfLooks(read.names, *reply) });
    };
    eval(readLocksScript(), keys, arguments, std::move(answered));
}

void LockFetcher::readPipelined(action::ReadLocks read, Seen seen)
{
    nextRound(std::make_shared<Rounds>(Rounds{
        read.read, monoNow(), PipelinedReader(std::move(read.names), serverNow()), {}, 0, false, std::move(seen) }));
}

void LockFetcher::nextRound(std::shared_ptr<Rounds> rounds)
{
    auto commands = rounds->reader.next();
    if (commands.empty())
        return finish(*rounds);
    rounds->expected = commands.size();
    for (auto &command : commands) {
        if (m_asksForMovingSlots)
            m_connection.send({ "ASKING" }, hearAsking());
        m_connection.send(std::move(command), [this, rounds](Result<Reply> reply) {
            rounds->failed = rounds->failed || !reply;
            rounds->replies.push_back(reply ? std::move(*reply) : Reply{});
            if (rounds->replies.size() < rounds->expected)
                return;
            auto replies = std::exchange(rounds->replies, {});
            if (rounds->failed || !rounds->reader.feed(std::move(replies)))
                rounds->seen(input::WorkFailed{ rounds->id });
            else
                nextRound(rounds);
        });
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
        return input::PageScanned{ scan.scan, SweepPage{ End, 0, std::move(found), {}, true, 1 }, m_byScript };
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
            scan.scan, SweepPage{ End, 0, {}, std::move(read->readings), true, 1 }, m_byScript, read->sentAt });
    });
}

/// Where nobody waits for the end, others are to wait for a page as little as can be.
int LockFetcher::keysOf(const action::ScanPage &scan) const
{
    constexpr int KeysInBackground = 100;
    return scan.atOnce ? m_pace.keys() : std::min(m_pace.keys(), KeysInBackground);
}

/// Where the engine waits for the end, one page is asked for ahead: the server is at it while the engine deals with the
/// one before.
void LockFetcher::scanByScript(const action::ScanPage &scan)
{
    if (!scan.atOnce) {
        askFor(scan, [this](const Page &page, const Result<Reply> &reply) { came(page, reply); });
        return;
    }
    m_ahead.wanted = scan;
    const auto isThis
        = [&scan](const Page &page) { return page.scan.cursor == scan.cursor && page.scan.type == scan.type; };
    if (m_ahead.page && isThis(*m_ahead.asked)) {
        auto page = *std::exchange(m_ahead.page, std::nullopt);
        m_ahead.asked.reset();
        askAhead(scan.type, page.page.nextCursor);
        return deliver(std::move(page));
    }
    m_ahead.page.reset();
    if (m_ahead.asked && isThis(*m_ahead.asked))
        return;
    if (scan.cursor == End)
        measureWay();
    askNow(scan.type, scan.cursor);
}

/// What an answer takes that takes the server no time.
void LockFetcher::measureWay()
{
    m_connection.send({ "PING" }, [this, sentAt = monoNow()](const Result<Reply> &reply) {
        if (reply)
            m_pace.wayTook(monoNow() - sentAt);
    });
}

void LockFetcher::askAhead(const std::string &type, const std::string &cursor)
{
    if (cursor != End)
        askNow(type, cursor);
}

void LockFetcher::askNow(const std::string &type, const std::string &cursor)
{
    m_ahead.asked = askFor(
        { {}, cursor, type, true }, [this](const Page &page, const Result<Reply> &reply) { cameAhead(page, reply); });
    m_connection.flush();
}

std::shared_ptr<const LockFetcher::Page> LockFetcher::askFor(
    const action::ScanPage &scan, std::function<void(const Page &, const Result<Reply> &)> handler)
{
    const auto page = std::make_shared<const Page>(Page{ scan, keysOf(scan), monoNow() });
    const std::array arguments{ scan.cursor, std::to_string(page->keys), scan.type, m_keyPattern };
    eval(sweepPageScript(), {}, arguments,
        [page, handler = std::move(handler)](const Result<Reply> &reply) { handler(*page, reply); });
    return page;
}

void LockFetcher::came(const Page &page, const Result<Reply> &reply)
{
    if (refusesScripts(reply))
        return scanPipelined(page.scan);
    auto found = reply ? decodeSweepPage(*reply, Recognition::OrDamaged) : tl::unexpected(reply.error());
    if (!found)
        return m_answer(input::WorkFailed{ page.scan.scan });
    m_progress.passed(page.scan.cursor, page.keys, *found);
    m_answer(input::PageScanned{ page.scan.scan, std::move(*found), true, page.sentAt });
}

void LockFetcher::cameAhead(const Page &page, const Result<Reply> &reply)
{
    if (&page != m_ahead.asked.get())
        return; // it was given up
    m_pace.pageTook(monoNow() - page.sentAt, monoNow() - m_ahead.dealtUntil);
    const auto asked = std::exchange(m_ahead.asked, nullptr);
    if (refusesScripts(reply)) {
        const auto wanted = std::exchange(m_ahead, {}).wanted;
        return wanted ? scanPipelined(*wanted) : void();
    }
    if (const auto next = reply ? nextCursorOf(*reply) : std::nullopt; next && m_ahead.wanted)
        askAhead(page.scan.type, *next);
    auto found = reply ? decodeSweepPage(*reply, Recognition::OrDamaged) : tl::unexpected(reply.error());
    if (!found) {
        if (const auto wanted = std::exchange(m_ahead, {}).wanted)
            m_answer(input::WorkFailed{ wanted->scan });
        return;
    }
    m_progress.passed(page.scan.cursor, page.keys, *found);
    input::PageScanned scanned{ {}, std::move(*found), true, page.sentAt };
    if (m_ahead.wanted)
        return deliver(std::move(scanned));
    // When it is wanted at last, others may have looked at these locks since.
    for (auto &reading : scanned.page.readings)
        scanned.page.candidates.push_back(std::move(reading.name));
    scanned.page.readings.clear();
    m_ahead.asked = asked;
    m_ahead.page = std::move(scanned);
}

void LockFetcher::deliver(input::PageScanned page)
{
    page.scan = std::exchange(m_ahead.wanted, std::nullopt)->scan;
    m_answer(std::move(page));
    m_ahead.dealtUntil = monoNow();
}

void LockFetcher::scanPipelined(action::ScanPage scan)
{
    if (scan.cursor == End)
        m_connection.send({ "DBSIZE" }, [this](const Result<Reply> &reply) {
            const auto *keys = reply ? reply->integer() : nullptr;
            m_keys = keys ? *keys : 0;
        });
    const int keys = keysOf(scan);
    auto command = scanCommand(scan.cursor, keys, scan.type, m_keyPattern);
    m_connection.send(std::move(command), [this, keys, scan = std::move(scan)](const Result<Reply> &reply) {
        auto page = reply ? decodeScan(scan.type, *reply) : tl::unexpected(reply.error());
        if (!page) {
            const bool refused = reply && isPermissionError(*reply);
            if (refused)
                missing(Right::Scan);
            return m_answer(input::WorkFailed{ scan.scan, refused });
        }
        page->keysSeen = m_keys;
        m_progress.passed(scan.cursor, keys, *page);
        m_answer(input::PageScanned{ scan.scan, std::move(*page), false });
    });
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
    m_answer(input::RightsMissing{ m_rights.sentences(), m_rights.aclLine() });
}

} // namespace lockcore
