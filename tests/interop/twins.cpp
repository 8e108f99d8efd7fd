// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/twins.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QThread>
#include <algorithm>

namespace interop {

using testsupport::BlockingClient;

namespace {

constexpr int NeverRenewed = 36'000'000; // the watchdog's time-out: no renewal falls into a story
constexpr int SettleLimitMs = 5'000;
constexpr int NudgeAfterMs = 1'500;
constexpr std::int64_t RoundingMs = 2;

} // namespace

Twins::Twins(Language other)
    : m_languages{ Language::Cpp, other }
{
}

QString Twins::start()
{
    for (std::size_t s = 0; s < m_sides.size(); ++s) {
        Side &side = m_sides[s];
        if (!side.server.start())
            return QStringLiteral("redis-server does not start");
        side.redis = std::make_unique<BlockingClient>(side.server.socketPath().toStdString());
        for (int c = 0; c < Clients; ++c) {
            auto &peer = side.peers[std::size_t(c)];
            peer = std::make_unique<PeerProcess>(m_languages[s]);
            if (!peer->connectTo(side.server.url(), NeverRenewed))
                return QStringLiteral("a peer does not connect");
            for (int thread = 0; thread < Threads; ++thread)
                side.owners.emplace_back(peer->owner(thread).toStdString(), alias(c, thread));
        }
        // No number of a thread is found within a longer one.
        std::sort(side.owners.begin(), side.owners.end(),
            [](const auto &a, const auto &b) { return a.first.size() > b.first.size(); });
    }
    warmUp();
    return {};
}

/// The first steps of a process are slow: scripts are loaded, classes too.
void Twins::warmUp()
{
    begin("warm-up", Channels::Shared, [](const auto &, const auto &, const auto &) { return false; });
    for (int i = 0; i < 10 * Clients; ++i) {
        for (const char *kind : { "reentrant", "fair", "read", "write" }) {
            play({ i % Clients, 0, "lock", QByteArray(kind) + " %1" + kind + " 1000000 0" });
            play({ i % Clients, 0, "unlock", QByteArray(kind) + " %1" + kind });
        }
    }
}

void Twins::begin(const QByteArray &name, Channels channels, Proceeds proceeds)
{
    m_channels = channels;
    m_proceeds = proceeds;
    m_about = name.toStdString();
    m_permits = 0;
    for (Side &side : m_sides) {
        side.redis->run({ "FLUSHALL" });
        side.permits.clear();
    }
    m_name = name;
    m_toleranceMs = RoundingMs;
    m_ours = {};
}

std::string Twins::play(const StoryStep &step)
{
    QElapsedTimer took;
    took.start();
    Wait started{ step, {} };
    for (std::size_t s = 0; s < m_sides.size(); ++s) {
        QByteArray arguments = step.arguments;
        arguments.replace("%1", m_name);
        for (std::size_t i = m_sides[s].permits.size(); i-- > 0;) // #12 before #1
            arguments.replace(
                QByteArray('#' + QByteArray::number(i)), QByteArray::fromStdString(m_sides[s].permits[i].first));
        started.tags[s] = m_sides[s].peers[std::size_t(step.client)]->start(
            step.command + ' ' + QByteArray::number(step.thread) + ' ' + arguments);
    }
    m_waits.push_back(started);
    if (std::string different = settle(); !different.empty())
        return different;
    m_toleranceMs = std::max<std::int64_t>(m_toleranceMs, took.elapsed() + RoundingMs);
    return differentTimes(m_ours, m_theirs, m_toleranceMs);
}

void Twins::end()
{
    for (const Wait &wait : m_waits) {
        for (std::size_t s = 0; s < m_sides.size(); ++s) {
            PeerProcess &peer = *m_sides[s].peers[std::size_t(wait.step.client)];
            peer.ask("cancel - " + wait.tags[s]);
            if (!peer.answer(wait.tags[s], NudgeAfterMs).isNull())
                continue;
            m_sides[s].redis->run(
                { "FLUSHALL" }); // some of Redisson's waits are not to be broken off, but to be satisfied
            nudge();
            peer.answer(wait.tags[s], SettleLimitMs);
        }
    }
    m_waits.clear();
}

const Twins::Wait *Twins::waiting(int client, int thread) const
{
    const auto found = std::find_if(m_waits.begin(), m_waits.end(),
        [=](const Wait &wait) { return wait.step.client == client && wait.step.thread == thread; });
    return found == m_waits.end() ? nullptr : &*found;
}

/// Looks until both are the same, since what a message sets off comes after the answer.
std::string Twins::settle()
{
    const QDeadlineTimer limit(SettleLimitMs);
    QDeadlineTimer patience(NudgeAfterMs);
    for (;;) {
        std::string different = unsettled();
        if (different.empty() || limit.hasExpired())
            return different;
        if (patience.hasExpired()) {
            nudge();
            patience.setRemainingTime(NudgeAfterMs);
        }
        QThread::usleep(200);
    }
}

/// Wakes those of Redisson's waiters that missed their message; ours have to wake up by themselves.
void Twins::nudge()
{
    BlockingClient &redis = *m_sides[1].redis;
    const auto channels = redis.run({ "PUBSUB", "CHANNELS", "redisson_*{" + m_about + "}*" });
    if (!channels.array() || channels.array()->empty())
        return;
    for (const auto &channel : *channels.array())
        redis.run({ "PUBLISH", *channel.bulk(), "0" });
    ++m_nudges;
}

std::string Twins::unsettled()
{
    if (std::string different = collectAnswers(); !different.empty())
        return different;
    m_ours = dumpKeyspace(*m_sides[0].redis, m_about, aliases(m_sides[0]));
    m_theirs = dumpKeyspace(*m_sides[1].redis, m_about, aliases(m_sides[1]));
    if (m_ours.failed || m_theirs.failed)
        return "  a server cannot be read\n";
    if (m_channels == Channels::SharedAndMayStay && m_waits.empty() && m_ours.channels == 0)
        std::erase_if(m_theirs.facts, [](const auto &fact) { return fact.first.starts_with("channel "); });
    if (std::string different = differentFacts(m_ours, m_theirs); !different.empty())
        return different;
    return isAwaited() ? std::string() : "  waits do not show as subscriptions, or do not end\n";
}

/// Whoever waits has subscribed, and nobody else; and none of them is about to end.
bool Twins::isAwaited() const
{
    const std::size_t expected
        = m_channels == Channels::PerThread ? m_waits.size() : std::min<std::size_t>(m_waits.size(), 1);
    return m_ours.channels == expected && std::none_of(m_waits.begin(), m_waits.end(), [this](const Wait &wait) {
        return m_proceeds(m_ours, m_about, wait.step);
    });
}

std::string Twins::collectAnswers()
{
    for (auto wait = m_waits.begin(); wait != m_waits.end();) {
        std::array<QByteArray, 2> answers;
        for (std::size_t s = 0; s < m_sides.size(); ++s) {
            PeerProcess &peer = *m_sides[s].peers[std::size_t(wait->step.client)];
            // One that does not wait is answered soon: no need to ask again and again.
            answers[s] = peer.answer(wait->tags[s], wait->step.waits ? 0 : SettleLimitMs);
        }
        if (answers[0].isNull() && answers[1].isNull() && wait->step.waits) {
            ++wait;
            continue;
        }
        if (answers[0].isNull() || answers[1].isNull())
            return "  " + wait->step.command.toStdString() + ": answered '" + answers[0].toStdString() + "', Redisson '"
                + answers[1].toStdString() + "'\n";
        for (std::size_t s = 0; s < m_sides.size(); ++s)
            answers[s] = common(m_sides[s], answers[s]);
        if (answers[0] != answers[1])
            return "  " + wait->step.command.toStdString() + ": answered '" + answers[0].toStdString() + "', Redisson '"
                + answers[1].toStdString() + "'\n";
        wait = m_waits.erase(wait);
    }
    return {};
}

/// In words that both have in common; permits given out get numbers.
QByteArray Twins::common(Side &side, QByteArray answer)
{
    if (isNotHeld(answer) || answer.startsWith("error AlreadyHeld"))
        return "error IllegalMonitorStateException";
    if (answer.startsWith("error "))
        return answer;
    if (!answer.startsWith("acquired ") || answer.size() < 32)
        return answer;
    for (const QByteArray &id : answer.mid(9).split(','))
        side.permits.emplace_back(id.toStdString(), "permit" + std::to_string(side.permits.size()));
    m_permits = int(side.permits.size());
    return "acquired with permits " + QByteArray::number(m_permits);
}

Aliases Twins::aliases(const Side &side) const
{
    Aliases all = side.owners;
    all.insert(all.end(), side.permits.begin(), side.permits.end());
    return all;
}

} // namespace interop
