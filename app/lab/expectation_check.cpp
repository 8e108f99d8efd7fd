// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/expectation_check.h"

#include "app/common/words.h"
#include "lockcore/transport/clock.h"
#include "ui/lab/step_text.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/suspect_text.h"

#include <QPointer>
#include <algorithm>

namespace app {

using lockcore::Millis;
using lockcore::monitor::Event;
using lockcore::monitor::LockState;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;
using lockcore::transport::monoNow;
using lockui::millisText;
using lockui::lab::EventExpectation;
using lockui::lab::Expectation;
using lockui::lab::KeyExpectation;
using lockui::lab::leaseTextOf;
using lockui::lab::SeenExpectation;
using lockui::lab::suspectTextOf;
using lockui::lab::toldText;

namespace {

using namespace std::chrono_literals;

constexpr auto WorldLookEvery = 20ms;

QString quoted(const std::string &bytes) { return QStringLiteral("\"%1\"").arg(shown(bytes)); }

QString listText(std::vector<std::string> texts)
{
    QStringList parts;
    for (const std::string &text : texts)
        parts << shown(text);
    return parts.isEmpty() ? Words::tr("nobody") : parts.join(QStringLiteral(", "));
}

std::optional<std::string> textIn(const Reply &reply)
{
    return reply.bulk() ? std::optional(*reply.bulk()) : std::nullopt;
}

std::vector<std::string> textsIn(const Reply &reply)
{
    std::vector<std::string> texts;
    for (const Reply &element : reply.array() ? *reply.array() : Reply::Array()) {
        if (element.bulk())
            texts.push_back(*element.bulk());
    }
    return texts;
}

QString typeProblem(const QString &key, const Reply &reply)
{
    return Words::tr("%1: the server says %2")
        .arg(key, reply.error() ? shown(reply.error()->text) : Words::tr("something else"));
}

/// What a look has found.
struct Finding {
    QString seen;
    QString problem; // empty: it is as expected
};

/// A command for each property that is expected, and what its answer says.
struct Question {
    Command command;
    std::function<Finding(const Reply &)> find;
};

QString ofKey(const QString &key, const QString &what) { return QStringLiteral("%1: %2").arg(key, what); }

Question existence(const std::string &key, bool exists)
{
    return { { "EXISTS", key }, [key = shown(key), exists](const Reply &reply) {
                const bool is = reply.integer() && *reply.integer() == 1;
                Finding found{ ofKey(key, is ? Words::tr("is there") : Words::tr("is not there")), {} };
                if (is != exists)
                    found.problem = exists ? Words::tr("the key %1 is expected, and does not exist").arg(key)
                                           : Words::tr("the key %1 is not expected, and exists").arg(key);
                return found;
            } };
}

Question value(const std::string &key, const std::string &expected)
{
    return { { "GET", key },
        [key = shown(key), expected](const Reply &reply) {
            if (reply.isError())
                return Finding{ {}, typeProblem(key, reply) };
            const auto text = textIn(reply);
            const QString is = text ? quoted(*text) : Words::tr("nothing");
            return Finding{ ofKey(key, is),
                text == expected ? QString() : Words::tr("%1: expected %2, found %3").arg(key, quoted(expected), is) };
        } };
}

Question fields(const std::string &key, const std::map<std::string, std::string> &expected)
{
    return { { "HGETALL", key }, [key = shown(key), expected](const Reply &reply) {
                if (reply.isError())
                    return Finding{ {}, typeProblem(key, reply) };
                std::map<std::string, std::string> found;
                const auto texts = textsIn(reply);
                for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
                    found[texts[i]] = texts[i + 1];
                const auto toText = [](const auto &pairs) {
                    QStringList parts;
                    for (const auto &[field, text] : pairs)
                        parts << shown(field) + QStringLiteral(" = ") + shown(text);
                    return parts.isEmpty() ? Words::tr("no fields") : parts.join(QStringLiteral(", "));
                };
                return Finding{ ofKey(key, toText(found)),
                    found == expected
                        ? QString()
                        : Words::tr("%1: expected %2; found %3").arg(key, toText(expected), toText(found)) };
            } };
}

Question elements(const std::string &key, const std::vector<std::string> &expected)
{
    return { { "LRANGE", key, "0", "-1" }, [key = shown(key), expected](const Reply &reply) {
                if (reply.isError())
                    return Finding{ {}, typeProblem(key, reply) };
                const auto found = textsIn(reply);
                return Finding{ ofKey(key, listText(found)),
                    found == expected
                        ? QString()
                        : Words::tr("%1: expected %2; found %3").arg(key, listText(expected), listText(found)) };
            } };
}

Question timeToLive(const std::string &key, const lockui::lab::Window &window)
{
    return { { "PTTL", key }, [key = shown(key), window](const Reply &reply) {
                const Millis ttl(reply.integer() ? *reply.integer() : -2);
                const QString is = ttl < Millis(0) ? Words::tr("none") : millisText(ttl);
                return Finding{ ofKey(key, Words::tr("time to live %1").arg(is)),
                    window.has(ttl) ? QString()
                                    : Words::tr("%1: expected a time to live of %2 to %3, found %4")
                                          .arg(key, millisText(window.least), millisText(window.most), is) };
            } };
}

Question subscribers(const std::string &channel, std::int64_t expected)
{
    return { { "PUBSUB", "NUMSUB", channel }, [channel = shown(channel), expected](const Reply &reply) {
                const auto *parts = reply.array();
                if (!parts || parts->size() != 2 || !parts->back().integer())
                    return Finding{ {}, typeProblem(channel, reply) };
                const std::int64_t found = *parts->back().integer();
                return Finding{ ofKey(channel, Words::tr("%1 listen").arg(found)),
                    found == expected ? QString()
                                      : Words::tr("the channel %1: expected %2 who listen, found %3")
                                            .arg(channel)
                                            .arg(expected)
                                            .arg(found) };
            } };
}

std::vector<Question> questionsFor(const LabWorld &world, const KeyExpectation &expects)
{
    const std::string key = withClientIds(world, expects.key);
    std::vector<Question> questions;
    if (expects.subscribers)
        questions.push_back(subscribers(key, *expects.subscribers));
    if (expects.exists)
        questions.push_back(existence(key, *expects.exists));
    if (expects.value)
        questions.push_back(value(key, withClientIds(world, *expects.value)));
    if (expects.fields) {
        std::map<std::string, std::string> wanted;
        for (const auto &[field, text] : *expects.fields)
            wanted[withClientIds(world, field)] = withClientIds(world, text);
        questions.push_back(fields(key, wanted));
    }
    if (expects.elements) {
        std::vector<std::string> wanted;
        for (const std::string &element : *expects.elements)
            wanted.push_back(withClientIds(world, element));
        questions.push_back(elements(key, wanted));
    }
    if (expects.ttl)
        questions.push_back(timeToLive(key, *expects.ttl));
    return questions;
}

std::vector<std::string> ownersOf(const auto &list)
{
    std::vector<std::string> owners;
    for (const auto &each : list) {
        if constexpr (requires { each.expired; }) {
            if (each.expired)
                continue;
        }
        owners.push_back(toString(each.owner));
    }
    return owners;
}

std::vector<std::string> wantedOwners(const LabWorld &world, const std::vector<std::string> &texts)
{
    std::vector<std::string> owners;
    for (const std::string &text : texts)
        owners.push_back(withClientIds(world, text));
    return owners;
}

/// What the monitor shows of one lock, beside what is expected.
class SeenCheck {
public:
    SeenCheck(const LabWorld &world, const SeenExpectation &expects)
        : m_world(world)
        , m_expects(expects)
        , m_lock(lockIn(world, expects.lock))
    {
    }

    std::vector<Finding> findings()
    {
        if (m_expects.held)
            compare(Words::tr("held"), yesNo(*m_expects.held), yesNo(m_lock != nullptr && isHeld(*m_lock)));
        compareOwners();
        if (m_expects.lease)
            compare(Words::tr("lease"), leaseTextOf(*m_expects.lease),
                m_lock ? lockui::leaseText(m_lock->lease) : nothing());
        if (m_expects.freePermits)
            compareNumbers(Words::tr("free permits"), *m_expects.freePermits,
                m_lock && m_lock->permits ? std::optional(lockcore::monitor::freePermits(*m_lock->permits))
                                          : std::nullopt);
        if (m_expects.count)
            compareNumbers(Words::tr("count"), *m_expects.count, m_lock ? m_lock->count : std::nullopt);
        if (m_expects.quorum)
            compareNumbers(Words::tr("servers that hold it"), *m_expects.quorum,
                m_lock && m_lock->quorum ? std::optional<std::int64_t>(m_lock->quorum->held) : std::nullopt);
        if (m_expects.suspect)
            compareSuspect();
        return m_findings;
    }

private:
    static QString yesNo(bool yes) { return yes ? Words::tr("yes") : Words::tr("no"); }
    static QString nothing() { return Words::tr("nothing"); }

    void compare(const QString &what, const QString &expected, const QString &found)
    {
        m_findings.push_back({ Words::tr("the monitor on %1, %2: %3").arg(shown(m_expects.lock), what, found),
            expected == found ? QString()
                              : Words::tr("the monitor on %1, %2: expected %3, shown %4")
                                    .arg(shown(m_expects.lock), what, expected, found) });
    }

    void compareNumbers(const QString &what, std::int64_t expected, std::optional<std::int64_t> found)
    {
        compare(what, QString::number(expected), found ? QString::number(*found) : nothing());
    }

    void compareOwners()
    {
        if (m_expects.holders) {
            auto wanted = wantedOwners(m_world, *m_expects.holders);
            auto found = m_lock ? ownersOf(m_lock->holders) : std::vector<std::string>();
            std::ranges::sort(wanted);
            std::ranges::sort(found);
            compare(Words::tr("holders"), listText(wanted), listText(found));
        }
        if (m_expects.waiters)
            compare(Words::tr("waiters"), listText(wantedOwners(m_world, *m_expects.waiters)),
                listText(m_lock ? ownersOf(m_lock->waiters) : std::vector<std::string>()));
    }

    void compareSuspect()
    {
        QStringList found;
        if (m_world.snapshot && m_world.snapshot->analysis) {
            for (const auto &suspect : suspectsOf(*m_world.snapshot->analysis, m_expects.lock))
                found << lockui::suspectTitle(suspect.kind);
        }
        const QString expected = suspectTextOf(*m_expects.suspect);
        const QString suspects = found.isEmpty() ? nothing() : found.join(QStringLiteral(", "));
        m_findings.push_back(
            { Words::tr("the monitor on %1, %2: %3").arg(shown(m_expects.lock), Words::tr("suspects"), suspects),
                found.contains(expected) ? QString()
                                         : Words::tr("the monitor on %1: expected the suspect %2, shown %3")
                                               .arg(shown(m_expects.lock), expected, suspects) });
    }

    const LabWorld &m_world;
    const SeenExpectation &m_expects;
    const LockState *m_lock; // null: the monitor shows none of that name
    std::vector<Finding> m_findings;
};

Finding eventFinding(const LabWorld &world, const EventExpectation &expects)
{
    const auto owner = expects.owner ? std::optional(withClientIds(world, *expects.owner)) : std::nullopt;
    QStringList others;
    for (const Event &event : world.record->events) {
        if (event.lock != expects.lock)
            continue;
        const bool isIt = event.kind == expects.event && (!owner || (event.owner && toString(*event.owner) == *owner))
            && (!expects.certainty || event.certainty == *expects.certainty);
        const QString told = toldText(event.kind, event.certainty);
        if (isIt)
            return { Words::tr("the monitor on %1, %2: %3")
                         .arg(shown(expects.lock), Words::tr("event"),
                             event.owner ? told + QStringLiteral(", ") + shown(toString(*event.owner)) : told),
                {} };
        others << told;
    }
    const QString wanted
        = expects.certainty ? toldText(expects.event, *expects.certainty) : lockui::eventText(expects.event);
    return { {},
        Words::tr("the monitor on %1: expected the event \"%2\", told %3")
            .arg(shown(expects.lock), owner ? wanted + QStringLiteral(", ") + shown(*owner) : wanted,
                others.isEmpty() ? Words::tr("nothing") : others.join(QStringLiteral(", "))) };
}

} // namespace

const LockState *lockIn(const LabWorld &world, const lockcore::LockName &name)
{
    return world.snapshot ? world.snapshot->locks.find(name).get() : nullptr;
}

std::string withClientIds(const LabWorld &world, std::string text)
{
    // Longer names first: $AB is not $A with a B behind it.
    std::vector<std::pair<std::string, std::string>> ids;
    for (const auto &[name, lives] : world.record->clientIds)
        ids.emplace_back(name, lives.back());
    std::ranges::sort(ids, std::greater(), [](const auto &each) { return each.first.size(); });
    for (const auto &[name, id] : ids) {
        const std::string placeholder = '$' + name;
        for (std::size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at))
            text.replace(at, placeholder.size(), id);
    }
    return text;
}

ExpectationCheck::ExpectationCheck(const LabWorld &world, const Expectation &expects, QObject *parent)
    : QObject(parent)
    , m_world(world)
    , m_expects(expects)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &ExpectationCheck::look);
}

void ExpectationCheck::start()
{
    m_deadline = monoNow() + m_expects.within;
    look();
}

void ExpectationCheck::look()
{
    ++m_turn;
    m_problems.clear();
    m_seen.clear();
    for (const SeenExpectation &seen : m_expects.seen) {
        for (const Finding &each : SeenCheck(m_world, seen).findings())
            note(each.seen, each.problem);
    }
    for (const EventExpectation &event : m_expects.events) {
        const Finding found = eventFinding(m_world, event);
        note(found.seen, found.problem);
    }
    askServers();
}

void ExpectationCheck::note(const QString &seen, const QString &problem)
{
    if (!seen.isEmpty())
        m_seen << seen;
    if (!problem.isEmpty())
        m_problems << problem;
}

void ExpectationCheck::askServers()
{
    m_unanswered = 1; // this call
    const auto answered = [this, turn = m_turn] {
        if (turn == m_turn && --m_unanswered == 0)
            judge();
    };
    for (const KeyExpectation &key : m_expects.redis) {
        for (Question &question : questionsFor(m_world, key)) {
            ++m_unanswered;
            m_world.servers->reader(key.server)
                .send(std::move(question.command),
                    [this, here = QPointer(this), turn = m_turn, answered, find = std::move(question.find)](
                        const lockcore::Result<Reply> &reply) {
                        if (!here || turn != m_turn)
                            return;
                        const Finding found = reply ? find(*reply) : Finding{ {}, shown(toString(reply.error())) };
                        note(found.seen, found.problem);
                        answered();
                    });
        }
    }
    answered();
}

void ExpectationCheck::judge()
{
    const auto now = monoNow();
    if (m_problems.isEmpty() && !m_staysUntil)
        m_staysUntil = now + m_expects.stays.value_or(Millis{ 0 });
    const bool isOver = m_problems.isEmpty() ? now >= *m_staysUntil : m_staysUntil.has_value() || now >= m_deadline;
    if (!isOver)
        return m_again.start(WorldLookEvery);
    ++m_turn;
    Q_EMIT finished(m_problems, m_seen);
}

} // namespace app
