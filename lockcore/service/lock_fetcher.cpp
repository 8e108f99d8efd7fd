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

/// A page of the sweep that was asked for.
struct LockFetcher::Page {
    action::ScanPage scan;
    MonoTime sentAt;
    bool isWanted = false; // by the engine
    std::optional<SweepPage> waiting; // came before it was wanted
};

/// One batch being read in rounds of commands.
struct LockFetcher::Rounds {
    WorkId id{};
    MonoTime sentAt;
    PipelinedReader reader;
    std::vector<Reply> replies;
    std::size_t expected = 0;
    bool failed = false;
};

LockFetcher::LockFetcher(Connection &connection, MissingRights &rights, std::string keyPattern, int sweepCount,
    IsOurs isOurs, Answer answer, QObject *parent)
    : QObject(parent)
    , m_connection(connection)
    , m_rights(rights)
    , m_keyPattern(std::move(keyPattern))
    , m_sweepCount(sweepCount)
    , m_answer(std::move(answer))
    , m_channels(connection, std::move(isOurs), m_answer, [this] { missing(Right::CountWaiters); })
{
}

void LockFetcher::lookOnlyAt(LockName name) { m_only = std::move(name); }

void LockFetcher::reset()
{
    m_byScript = m_connection.serverInfo().version.empty() || m_connection.serverInfo().atLeast(7, 0);
    m_ahead = nullptr;
    m_asksForMovingSlots = isInCluster();
    m_channels.reset();
}

void LockFetcher::read(action::ReadLocks read)
{
    if (m_byScript)
        readByScript(std::move(read));
    else
        readPipelined(std::move(read));
}

bool LockFetcher::isInCluster() const { return m_connection.serverInfo().mode == "cluster"; }

/// The next command alone also sees what slots have that are still moving to this node.
void LockFetcher::askForMovingSlots()
{
    if (!m_asksForMovingSlots)
        return;
    m_connection.send({ "ASKING" }, [this](const Result<Reply> &reply) {
        if (reply && reply->isError() && std::exchange(m_asksForMovingSlots, false))
            missing(Right::MovingSlots);
    });
}

void LockFetcher::readByScript(action::ReadLocks read)
{
    const auto sentAt = monoNow();
    auto keys = read.names;
    auto arguments = readLocksArguments(wallNow());
    if (isInCluster()) { // KEYS have to be of one slot there
        arguments.insert(arguments.end(), keys.begin(), keys.end());
        keys.clear();
    }
    askForMovingSlots();
    m_connection.eval(
        readLocksScript(), keys, arguments, [this, sentAt, read = std::move(read)](Result<Reply> reply) mutable {
            if (refusesScripts(reply))
                return readPipelined(std::move(read));
            auto readings = reply ? decodeReadLocks(read.names, *reply) : tl::unexpected(reply.error());
            if (!readings)
                return m_answer(input::WorkFailed{ read.read });
            m_answer(input::LocksRead{ read.read, std::move(*readings), sentAt, namesElsewhere(read.names, *reply),
                namesForLater(read.names, *reply) });
        });
}

void LockFetcher::readPipelined(action::ReadLocks read)
{
    nextRound(std::make_shared<Rounds>(
        Rounds{ read.read, monoNow(), PipelinedReader(std::move(read.names), wallNow()), {}, 0, false }));
}

void LockFetcher::nextRound(std::shared_ptr<Rounds> rounds)
{
    auto commands = rounds->reader.next();
    if (commands.empty())
        return finish(*rounds);
    rounds->expected = commands.size();
    for (auto &command : commands) {
        m_connection.send(std::move(command), [this, rounds](Result<Reply> reply) {
            rounds->failed = rounds->failed || !reply;
            rounds->replies.push_back(reply ? std::move(*reply) : Reply{});
            if (rounds->replies.size() < rounds->expected)
                return;
            auto replies = std::exchange(rounds->replies, {});
            if (rounds->failed || !rounds->reader.feed(std::move(replies)))
                m_answer(input::WorkFailed{ rounds->id });
            else
                nextRound(rounds);
        });
    }
}

void LockFetcher::scan(action::ScanPage scan)
{
    if (m_only)
        m_answer(input::PageScanned{ scan.scan, SweepPage{ "0", 0, 1, { *m_only }, {}, true }, m_byScript });
    else if (m_byScript)
        scanByScript(scan);
    else
        scanPipelined(std::move(scan));
}

/// Where nobody waits for the end, others are to wait for a page as little as can be.
int LockFetcher::keysOf(const action::ScanPage &scan) const
{
    constexpr int KeysInBackground = 100;
    return scan.atOnce ? m_sweepCount : std::min(m_sweepCount, KeysInBackground);
}

void LockFetcher::scanByScript(const action::ScanPage &scan)
{
    const auto ahead = std::exchange(m_ahead, nullptr);
    if (!ahead || ahead->scan.cursor != scan.cursor || ahead->scan.type != scan.type)
        return askFor(std::make_shared<Page>(Page{ scan, monoNow(), true, {} }));
    ahead->scan = scan;
    ahead->isWanted = true;
    if (ahead->waiting)
        m_answer(input::PageScanned{ scan.scan, std::move(*ahead->waiting), true, ahead->sentAt });
}

void LockFetcher::askFor(const std::shared_ptr<Page> &page)
{
    const std::array arguments{ page->scan.cursor, std::to_string(keysOf(page->scan)), page->scan.type, m_keyPattern };
    askForMovingSlots();
    m_connection.eval(
        sweepPageScript(), {}, arguments, [this, page](const Result<Reply> &reply) { came(page, reply); });
}

void LockFetcher::came(const std::shared_ptr<Page> &page, const Result<Reply> &reply)
{
    if (refusesScripts(reply))
        return page->isWanted ? scanPipelined(page->scan) : void();
    // While the server is at the next page, there is time to deal with this one.
    const auto next = reply ? nextCursorOf(*reply) : std::nullopt;
    if (page->isWanted && page->scan.atOnce && next && *next != "0") {
        m_ahead = std::make_shared<Page>(Page{ { {}, *next, page->scan.type, true }, monoNow(), false, {} });
        askFor(m_ahead);
        m_connection.flush();
    }
    auto found = reply ? decodeSweepPage(*reply) : tl::unexpected(reply.error());
    if (!found) {
        if (page->isWanted)
            m_answer(input::WorkFailed{ page->scan.scan });
        else if (m_ahead == page)
            m_ahead = nullptr;
        return;
    }
    if (page->isWanted)
        return m_answer(input::PageScanned{ page->scan.scan, std::move(*found), true, page->sentAt });
    // When it is wanted at last, others may have looked at these locks since.
    for (auto &reading : found->readings)
        found->candidates.push_back(std::move(reading.name));
    found->readings.clear();
    page->waiting = std::move(*found);
}

void LockFetcher::scanPipelined(action::ScanPage scan)
{
    if (scan.cursor == "0")
        m_connection.send({ "DBSIZE" }, [this](const Result<Reply> &reply) {
            const auto *keys = reply ? reply->integer() : nullptr;
            m_keys = keys ? *keys : 0;
        });
    auto command = scanCommand(scan.cursor, keysOf(scan), scan.type, m_keyPattern);
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
    const bool refused = isPermissionError(*reply);
    if (!refused && !text.starts_with("ERR unknown command"))
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
    m_answer(input::LocksRead{ rounds.id, rounds.reader.take(), rounds.sentAt, std::move(refused) });
}

void LockFetcher::missing(Right right)
{
    if (m_rights.lacks(right))
        return;
    m_rights.add(right);
    m_answer(input::RightsMissing{ m_rights.sentences(), m_rights.aclLine() });
}

} // namespace lockcore
