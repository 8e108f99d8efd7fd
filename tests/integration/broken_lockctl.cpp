// SPDX-License-Identifier: GPL-3.0-or-later
// `lockctl run` whose clients are broken on purpose: a scenario has to notice. BROKEN in the environment says how.
#include "app/common/arguments.h"
#include "app/lab/client_program.h"
#include "app/lockctl/command_line.h"
#include "app/lockctl/output.h"
#include "app/lockctl/run.h"
#include "lockcore/base/enum_table.h"
#include "lockcore/transport/clock.h"
#include "lockcore/transport/connection.h"

#include <QCoreApplication>
#include <QTimer>
#include <algorithm>
#include <functional>

using app::ClientOrder;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;
using lockcore::synchronizers::Kind;
using lockcore::transport::Connection;
using lockcore::transport::monoNow;
using lockui::lab::Act;
using lockui::lab::Outcome;

namespace {

enum class Defect {
    MutualExclusion, // a lock is taken whoever holds it
    Watchdog, // nothing is ever renewed
    FairOrder, // who comes last stands first in the queue
    UnlockMessage, // a release tells nobody
    ReentryLease, // taken again, a lock lives no longer than before
    Latch, // open at once
};

constexpr lockcore::TextRow<Defect> Defects[]{
    { Defect::MutualExclusion, "mutual exclusion" },
    { Defect::Watchdog, "watchdog" },
    { Defect::FairOrder, "fair order" },
    { Defect::UnlockMessage, "unlock message" },
    { Defect::ReentryLease, "lease of a re-entry" },
    { Defect::Latch, "latch" },
};
static_assert(lockcore::hasRowForEach(Defects));

constexpr const char *TakeInAnyCase = R"(
    redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 1)";

constexpr const char *LineUpAtTheHead = R"(
    local lock, queue, deadlines, owner = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
    local head = redis.call('LINDEX', queue, 0)
    if redis.call('EXISTS', lock) == 0 and (not head or head == owner) then
        redis.call('LPOP', queue)
        redis.call('ZREM', deadlines, owner)
        redis.call('HINCRBY', lock, owner, 1)
        redis.call('PEXPIRE', lock, ARGV[2])
        return 1
    end
    if not redis.call('ZSCORE', deadlines, owner) then
        redis.call('ZADD', deadlines, redis.call('TIME')[1] * 1000 + 300000, owner)
        redis.call('LPUSH', queue, owner)
    end
    return 0)";

constexpr const char *TakeForTheFirstLease = R"(
    if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
        return 0
    end
    if redis.call('HINCRBY', KEYS[1], ARGV[1], 1) == 1 then
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
    end
    return 1)";

constexpr const char *ReleaseInSilence = R"(
    return redis.call('DEL', KEYS[1]))";

class BrokenClient : public app::ClientProgram {
public:
    BrokenClient(const lockcore::client::LockClientOptions &options, Defect defect)
        : ClientProgram(options)
        , m_defect(defect)
    {
    }

    void open(const lockcore::transport::Deployment &deployment)
    {
        m_connection = std::make_unique<Connection>(
            deployment.seeds.front(), lockcore::transport::ConnectionOptions{ .readOnly = false });
        // Orders are taken once both are connected.
        connect(
            m_connection.get(), &Connection::ready, this, [this, deployment] { start(deployment); },
            Qt::SingleShotConnection);
        m_connection->open();
    }

protected:
    void take(const ClientOrder &order) override
    {
        const lockui::lab::Step &step = order.step;
        const std::string owner = id() + ':' + step.thread;
        const std::string lease = std::to_string(step.lease.value_or(options().watchdogTimeout).count());
        if (m_defect == Defect::MutualExclusion && step.act == Act::Lock && step.kind == Kind::Reentrant)
            return eval(order, { "EVAL", TakeInAnyCase, "1", step.lock, owner, lease }, Outcome::Acquired);
        if (m_defect == Defect::UnlockMessage && step.act == Act::Unlock && step.kind == Kind::Reentrant)
            return eval(order, { "EVAL", ReleaseInSilence, "1", step.lock }, Outcome::Released);
        if (m_defect == Defect::FairOrder && step.act == Act::Lock && step.kind == Kind::Fair)
            return eval(order,
                { "EVAL", LineUpAtTheHead, "3", step.lock, "redisson_lock_queue:{" + step.lock + '}',
                    "redisson_lock_timeout:{" + step.lock + '}', owner, lease },
                Outcome::Acquired);
        if (m_defect == Defect::ReentryLease && step.act == Act::Lock)
            return eval(order, { "EVAL", TakeForTheFirstLease, "1", step.lock, owner, lease }, Outcome::Acquired);
        if (m_defect == Defect::Latch && step.act == Act::Await)
            return answer({ .number = order.number, .outcome = Outcome::Acquired }, monoNow());
        ClientProgram::take(order);
    }

private:
    void eval(const ClientOrder &order, const Command &command, Outcome outcome)
    {
        eval(order, command, outcome, monoNow());
    }

    /// Until it says 1: asks again and again.
    void eval(const ClientOrder &order, const Command &command, Outcome outcome, MonoTime since)
    {
        m_connection->send(command, [=, this](const lockcore::Result<Reply> &reply) {
            const bool isDone = reply && reply->integer() && *reply->integer() == 1;
            if (isDone)
                return answer({ .number = order.number, .outcome = outcome }, since);
            if (order.step.wait && monoNow() > since + *order.step.wait)
                return answer({ .number = order.number, .outcome = Outcome::NotAcquired }, since);
            QTimer::singleShot(Millis{ 50 }, this, [=, this] { eval(order, command, outcome, since); });
        });
    }

    Defect m_defect;
    std::unique_ptr<Connection> m_connection;
};

int start(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const auto commandLine = lockctl::parseCommandLine(argc, argv);
    const auto broken = qgetenv("BROKEN");
    const auto *defect = std::ranges::find(Defects, broken.toStdString(), &lockcore::TextRow<Defect>::text);
    if (!commandLine || defect == std::end(Defects))
        return 2;
    if (const auto *run = std::get_if<lockctl::RunRequest>(&commandLine->request))
        return lockctl::runScenarios(*run);
    const auto *client = std::get_if<lockctl::ClientRequest>(&commandLine->request);
    if (!client)
        return 2;
    lockcore::client::LockClientOptions options = client->options;
    if (defect->value == Defect::Watchdog)
        options.renewEvery = std::chrono::hours(24);
    BrokenClient program(options, defect->value);
    QObject::connect(&program, &app::ClientProgram::finished, &application, [] { QCoreApplication::exit(0); });
    program.open(commandLine->globals.deployment);
    return QCoreApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    app::useUtf8Locale();
    lockctl::prepareOutput();
    return lockctl::finishOutput(start(argc, argv));
}
