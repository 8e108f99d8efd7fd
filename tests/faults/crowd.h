// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "tests/faults/plan.h"

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace faults {

class User;

/// A client of lockcore and its users, which take, take again and release the locks of the plan as chance has it, and
/// say in the words of the ledger what they believe.
/// Thread: that of the object.
class Crowd : public QObject {
    Q_OBJECT
public:
    using Say = std::function<void(const std::string &line)>;

    /// `number`: of the client, in the plan.
    Crowd(const Plan &plan, int number, const lockcore::transport::Deployment &deployment, Say say);
    ~Crowd() override;

    void start();
    void freeze(); // whoever holds goes on holding, whoever waits goes on waiting, nobody starts anything
    void finish(); // all is released, and whatever is still got is released too
    void close(std::function<void()> closed); // in order

private:
    friend class User;
    const Plan &m_plan;
    const int m_number;
    const Say m_say;
    lockcore::client::LockClient m_client;
    std::vector<std::unique_ptr<User>> m_users;
};

} // namespace faults
