// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/lock_fetcher.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/lock_reader.h"

#include <algorithm>

namespace lockcore {

using protocol::Command;
using protocol::Reply;

namespace {

constexpr const char *FurtherOn = "further on"; // for the engine, in place of two cursors

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
    MonoTime sentAt;
    std::shared_ptr<SweepWalks> walks; // null: asked for alone
    SweepWalks::Step step;
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

LockFetcher::LockFetcher(Connection &connection, MissingRights &rights, Options options, IsOurs isOurs,
    ServerClock &clock, Answer answer, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_rights(rights)
    , m_options(std::move(options))
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
    giveUpWalks();
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
    auto arguments = readLocksArguments(serverNow(), !m_rights.lacks(Right::Time), keys, m_options.tokenNames);
    if (isInCluster()) { // KEYS have to be of one slot there
        arguments.insert(arguments.end(), keys.begin(), keys.end());
        keys.clear();
    }
    auto answered = [this, sentAt, read = std::move(read), seen = std::move(seen)](Result<Reply> reply) mutable {
        if (refusesScripts(reply))
            return readPipelined(std::move(read), std::move(seen));
        auto readings = reply ? decodeReadLocks(read.names, *reply, Recognition::OrDamaged, m_options.tokenNames)
                              : tl::unexpected(reply.error());
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
    nextRound(std::make_shared<Rounds>(Rounds{ read.read, monoNow(),
        PipelinedReader(std::move(read.names), serverNow(), m_options.tokenNames), {}, 0, false, std::move(seen) }));
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
        return input::PageScanned{ scan.scan, SweepPage{ "0", 0, 1, std::move(found), {}, true }, m_byScript };
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
            scan.scan, SweepPage{ "0", 0, 1, {}, std::move(read->readings), true }, m_byScript, read->sentAt });
    });
}

/// Where nobody waits for the end, others are to wait for a page as little as can be.
int LockFetcher::keysOf(const action::ScanPage &scan) const
{
    constexpr int KeysInBackground = 100;
    return scan.atOnce ? m_options.sweepCount : std::min(m_options.sweepCount, KeysInBackground);
}

const std::string &LockFetcher::patternOf(const action::ScanPage &scan) const
{
    return scan.pattern.empty() ? m_options.keyPattern : scan.pattern;
}

void LockFetcher::scanByScript(const action::ScanPage &scan)
{
    if (!scan.atOnce)
        return askFor({ scan, monoNow(), nullptr, {} });
    if (scan.cursor == "0" || !m_walks) {
        giveUpWalks();
        m_walks = std::make_shared<SweepWalks>();
    }
    m_wanted = scan;
    std::optional<input::PageScanned> waiting;
    if (!m_ahead.empty()) {
        waiting = std::move(m_ahead.front());
        m_ahead.pop_front();
    }
    while (m_ahead.empty() && askAhead(m_walks->ask())) { }
    if (waiting)
        deliver(std::move(*waiting));
}

void LockFetcher::giveUpWalks()
{
    m_walks = nullptr;
    m_ahead.clear();
    m_wanted.reset();
}

bool LockFetcher::askAhead(const std::optional<SweepWalks::Step> &step)
{
    if (!step)
        return false;
    askFor({ { {}, step->cursor, m_wanted->type, m_wanted->pattern, true }, monoNow(), m_walks, *step });
    m_connection.flush();
    return true;
}

void LockFetcher::askFor(Page page)
{
    const auto &scan = page.scan;
    std::vector arguments{ scan.cursor, std::to_string(keysOf(scan)), scan.type, patternOf(scan) };
    if (scan.type == "hash")
        arguments.insert(arguments.end(), m_options.tokenNames.begin(), m_options.tokenNames.end());
    eval(sweepPageScript(), {}, arguments, [this, page = std::move(page)](const Result<Reply> &reply) {
        if (page.walks)
            cameAhead(page, reply);
        else
            came(page, reply);
    });
}

void LockFetcher::came(const Page &page, const Result<Reply> &reply)
{
    if (refusesScripts(reply))
        return scanPipelined(page.scan);
    auto found = reply ? decodeSweepPage(*reply, Recognition::OrDamaged) : tl::unexpected(reply.error());
    if (!found)
        return m_answer(input::WorkFailed{ page.scan.scan });
    m_answer(input::PageScanned{ page.scan.scan, std::move(*found), true, page.sentAt });
}

void LockFetcher::cameAhead(const Page &page, const Result<Reply> &reply)
{
    if (page.walks != m_walks || !m_walks->awaits(page.step))
        return;
    if (refusesScripts(reply)) {
        const auto wanted = m_wanted;
        giveUpWalks();
        return wanted ? scanPipelined(*wanted) : void();
    }
    // While the server is at the next page, there is time to deal with this one.
    if (const auto next = reply ? nextCursorOf(*reply) : std::nullopt; next && !next->empty()) {
        m_walks->came(page.step, *next);
        if (m_wanted)
            askAhead(m_walks->askAfter(page.step));
    }
    auto found = reply ? decodeSweepPage(*reply, Recognition::OrDamaged) : tl::unexpected(reply.error());
    if (!found) {
        m_walks->failed(page.step);
        if (const auto wanted = std::exchange(m_wanted, std::nullopt))
            m_answer(input::WorkFailed{ wanted->scan });
        return;
    }
    found->progress = m_walks->progress(page.step, found->progress);
    input::PageScanned scanned{ {}, std::move(*found), true, page.sentAt };
    if (m_wanted)
        return deliver(std::move(scanned));
    // When it is wanted at last, others may have looked at these locks since.
    for (auto &reading : scanned.page.readings)
        scanned.page.candidates.push_back(std::move(reading.name));
    scanned.page.readings.clear();
    m_ahead.push_back(std::move(scanned));
}

void LockFetcher::deliver(input::PageScanned page)
{
    page.scan = std::exchange(m_wanted, std::nullopt)->scan;
    page.page.nextCursor = m_walks->areDone() && m_ahead.empty() ? "0" : FurtherOn;
    m_answer(std::move(page));
}

void LockFetcher::scanPipelined(action::ScanPage scan)
{
    if (scan.cursor == FurtherOn)
        scan.cursor = "0";
    if (scan.cursor == "0")
        m_connection.send({ "DBSIZE" }, [this](const Result<Reply> &reply) {
            const auto *keys = reply ? reply->integer() : nullptr;
            m_keys = keys ? *keys : 0;
        });
    auto command = scanCommand(scan.cursor, keysOf(scan), scan.type, patternOf(scan));
    m_connection.send(std::move(command), [this, scan = std::move(scan)](const Result<Reply> &reply) {
        auto page = reply ? decodeScan(scan.type, *reply) : tl::unexpected(reply.error());
        if (!page) {
            const bool refused = reply && isPermissionError(*reply);
            if (refused)
                missing(Right::Scan);
            return m_answer(input::WorkFailed{ scan.scan, refused });
        }
        page->keysSeen = m_keys;
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
    m_answer(input::RightsMissing{ m_rights.missing(), m_rights.aclLine() });
}

} // namespace lockcore
