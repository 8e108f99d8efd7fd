// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/crowd.h"

#include "lockcore/transport/clock.h"
#include "tests/interop/cpp/locks.h"
#include "tests/interop/cpp/output.h"

#include <chrono>
#include <memory>
#include <optional>

namespace interop {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;

namespace {

// A blind SET; the second counter beside it counts by itself.
constexpr const char *Count = "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('INCR', KEYS[2])";

std::string text(const protocol::Reply &reply) { return reply.bulk() ? *reply.bulk() : std::string(); }

} // namespace

struct Crowd::Worker {
    std::string thread;
    std::string name;
    LockTarget target;
    bool writes = true;
    std::optional<Millis> lease;
    std::string mark; // of its present section
    MonoTime entered{};
};

Crowd::Crowd(LockClient &client, const Endpoint &data, const Arguments &plan, std::function<void(std::string)> finished)
    : m_client(client)
    , m_data(data,
          [] {
              ConnectionOptions options;
              options.readOnly = false;
              return options;
          }())
    , m_kind(plan.word(0))
    , m_names(plan.list(1))
    , m_shortestLease(int(plan.number(3)))
    , m_longestLease(int(plan.number(4)))
    , m_wait(plan.millis(5))
    , m_finished(std::move(finished))
    , m_random(std::random_device{}())
{
    m_active = std::size_t(plan.number(2));
    for (std::size_t i = 0; i < m_active; ++i) {
        m_workers.push_back(std::make_unique<Worker>());
        m_workers.back()->thread = std::to_string(i + 1);
    }
    connect(
        &m_data, &Connection::ready, this,
        [this] {
            for (auto &worker : m_workers)
                next(*worker);
        },
        Qt::SingleShotConnection);
    m_data.open();
}

Crowd::~Crowd() = default;

void Crowd::next(Worker &worker)
{
    if (m_stopping) {
        if (--m_active == 0)
            m_finished("ok " + std::to_string(m_sections));
        return;
    }
    worker.name = m_names[std::size_t(below(int(m_names.size())))];
    worker.writes = m_kind != "readWrite" || below(4) == 0;
    worker.target = lockTarget(m_kind != "readWrite" ? m_kind : worker.writes ? "write" : "read", worker.name);
    worker.lease.reset(); // a watchdog's
    if (below(3) != 0)
        worker.lease = Millis(m_shortestLease + below(m_longestLease - m_shortestLease + 1));
    m_client.acquire(
        { worker.target, worker.thread, worker.lease, m_wait }, [this, &worker](const Result<AcquireOutcome> &outcome) {
            if (!outcome)
                say("event", answer(outcome.error()));
            if (outcome && outcome->acquired)
                enter(worker);
            else
                next(worker);
        });
}

void Crowd::enter(Worker &worker)
{
    worker.entered = monoNow();
    worker.mark = m_client.id() + ':' + worker.thread + ':' + std::to_string(++m_sections);
    const std::string mark = "mark:" + worker.name;
    using protocol::Command;
    ask({ worker.writes ? Command{ "GETSET", mark, worker.mark } : Command{ "GET", mark },
            { "GET", "counter:" + worker.name } },
        [this, &worker](const Replies &replies) {
            if (!replies[0].isNil())
                overlap(text(replies[0]), worker);
            worker.writes ? write(worker, text(replies[1])) : read(worker, text(replies[1]));
        });
}

void Crowd::write(Worker &worker, const std::string &counter)
{
    const std::string value = std::to_string((counter.empty() ? 0 : std::stoll(counter)) + 1);
    ask({ { "EVAL", Count, "2", "counter:" + worker.name, "done:" + worker.name, value },
            { "GETDEL", "mark:" + worker.name } },
        [this, &worker](const Replies &replies) {
            if (text(replies[1]) != worker.mark)
                overlap(text(replies[1]), worker);
            leave(worker);
        });
}

void Crowd::read(Worker &worker, const std::string &counter)
{
    ask({ { "GET", "counter:" + worker.name }, { "GET", "mark:" + worker.name }, { "INCR", "reads:" + worker.name } },
        [this, &worker, counter](const Replies &replies) {
            if (!replies[1].isNil())
                overlap(text(replies[1]), worker);
            if (text(replies[0]) != counter)
                say("event", "overlap counter " + worker.mark);
            leave(worker);
        });
}

void Crowd::leave(Worker &worker)
{
    const auto inside = std::chrono::duration_cast<Millis>(monoNow() - worker.entered);
    if (2 * inside > worker.lease.value_or(Millis(m_shortestLease)))
        say("event", "late " + std::to_string(inside.count()));
    m_client.release(worker.target, worker.thread, [this, &worker](const Result<ReleaseOutcome> &outcome) {
        if (!outcome)
            say("event", answer(outcome.error()));
        next(worker);
    });
}

void Crowd::ask(std::vector<protocol::Command> commands, Next next)
{
    const auto replies = std::make_shared<Replies>();
    const std::size_t expected = commands.size();
    for (auto &command : commands)
        m_data.send(std::move(command), [replies, expected, next](const Result<protocol::Reply> &reply) {
            if (!reply)
                return say("event", answer(reply.error()));
            replies->push_back(*reply);
            if (replies->size() == expected)
                next(*replies);
        });
}

/// A mark once: one that a killed process left behind would be told again by each reader.
void Crowd::overlap(const std::string &whose, const Worker &worker)
{
    if (m_told.insert(whose).second)
        say("event", "overlap " + whose + ' ' + worker.mark);
}

} // namespace interop
