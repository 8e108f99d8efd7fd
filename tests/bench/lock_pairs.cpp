// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/lock_pairs.h"

#include "lockcore/client/lock_client.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <cstdio>
#include <memory>
#include <vector>

namespace lockbench {

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;

namespace {

class PairRun {
public:
    PairRun(const Endpoint &endpoint, PairLoad load, Millis warmUp, Millis measured)
        : m_load(load)
        , m_warmUp(warmUp)
        , m_measured(measured)
    {
        for (int i = 0; i < load.clients; ++i) {
            auto &client = m_clients.emplace_back(std::make_unique<LockClient>(endpoint));
            QObject::connect(client.get(), &LockClient::ready, &m_loop, [this] {
                if (++m_ready == m_load.clients)
                    start();
            });
            client->open();
        }
    }

    std::optional<double> run()
    {
        m_loop.exec();
        if (!m_error)
            return 1e9 * static_cast<double>(m_counted) / static_cast<double>(m_duration);
        std::fprintf(stderr, "lock pairs: %s: %s\n", m_error->context.c_str(), m_error->message.c_str());
        return std::nullopt;
    }

private:
    struct User {
        LockClient &client;
        LockTarget target;
        std::string thread;
    };

    void start()
    {
        for (const auto &client : m_clients) {
            for (int i = 0; i < m_load.usersEach; ++i) {
                const std::string number = std::to_string(m_users.size() + 1);
                m_users.push_back(std::make_unique<User>(
                    User{ *client, { m_load.oneLock ? "bench:lock" : "bench:lock:" + number }, number }));
                lock(*m_users.back());
                ++m_busy;
            }
        }
        QTimer::singleShot(m_warmUp, Qt::PreciseTimer, &m_loop, [this] {
            m_pairs = 0;
            m_time.start();
        });
        QTimer::singleShot(m_warmUp + m_measured, Qt::PreciseTimer, &m_loop, [this] { stop(); });
    }

    void stop()
    {
        m_duration = m_time.nsecsElapsed();
        m_counted = m_pairs;
        m_stopping = true;
    }

    void lock(User &user)
    {
        user.client.acquire({ user.target, user.thread, {}, {} }, [this, &user](const Result<AcquireOutcome> &outcome) {
            if (!outcome)
                return failed(outcome.error());
            user.client.release(user.target, user.thread, [this, &user](const Result<ReleaseOutcome> &released) {
                if (!released)
                    return failed(released.error());
                ++m_pairs;
                if (!m_stopping)
                    return lock(user);
                if (--m_busy == 0)
                    m_loop.quit();
            });
        });
    }

    void failed(const Error &error)
    {
        m_error = error;
        m_loop.quit();
    }

    PairLoad m_load;
    Millis m_warmUp;
    Millis m_measured;
    QEventLoop m_loop;
    std::vector<std::unique_ptr<User>> m_users;
    std::vector<std::unique_ptr<LockClient>> m_clients;
    QElapsedTimer m_time;
    qint64 m_duration = 1;
    std::int64_t m_pairs = 0;
    std::int64_t m_counted = 0;
    int m_ready = 0;
    int m_busy = 0;
    bool m_stopping = false;
    std::optional<Error> m_error;
};

} // namespace

std::optional<double> lockPairs(const Endpoint &endpoint, PairLoad load, Millis warmUp, Millis measured)
{
    return PairRun(endpoint, load, warmUp, measured).run();
}

} // namespace lockbench
