// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "lockcore/transport/connection.h"
#include "tests/interop/cpp/arguments.h"

#include <QObject>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace interop {

/// Many workers that take locks of one kind again and again, and look inside whether they are alone.
/// `crowd - KIND NAME,… WORKERS SHORTEST-LEASE LONGEST-LEASE WAIT`; it is answered when `crowd.stop` has been said and
/// all are done: `ok SECTIONS`. What should not be is told at once: `event overlap WHOSE MINE`, `event late MS`.
///
/// A section of a writer reads the counter of the lock, and in a second step sets it to one more; a section that
/// another one runs into loses a step, and then the counter is behind what was counted beside it.
class Crowd : public QObject {
    Q_OBJECT
public:
    Crowd(lockcore::client::LockClient &client, const lockcore::transport::Endpoint &data, const Arguments &plan,
        std::function<void(std::string)> finished);

    ~Crowd() override;

    void stop() { m_stopping = true; }

private:
    struct Worker;
    using Replies = std::vector<lockcore::protocol::Reply>;
    using Next = std::function<void(const Replies &)>;

    void next(Worker &worker);
    void enter(Worker &worker);
    void write(Worker &worker, const std::string &counter);
    void read(Worker &worker, const std::string &counter);
    void leave(Worker &worker);
    void ask(std::vector<lockcore::protocol::Command> commands, Next next);
    void overlap(const std::string &whose, const Worker &worker);
    int below(int limit) { return int(m_random() % std::uint64_t(limit)); }

    lockcore::client::LockClient &m_client;
    lockcore::transport::Connection m_data;
    std::string m_kind;
    std::vector<std::string> m_names;
    int m_shortestLease;
    int m_longestLease;
    std::optional<lockcore::Millis> m_wait;
    std::function<void(std::string)> m_finished;
    std::vector<std::unique_ptr<Worker>> m_workers;
    std::set<std::string> m_told;
    std::mt19937_64 m_random;
    std::size_t m_active = 0;
    std::int64_t m_sections = 0;
    bool m_stopping = false;
};

} // namespace interop
