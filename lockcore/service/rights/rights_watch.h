// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>

namespace lockcore::service {

/// Where some right is missing, asks at once for all others too, so that what is said is complete; and now and then
/// whether one that was missing is given. With all rights it asks nothing.
/// Thread: that of the object.
class RightsWatch : public QObject {
    Q_OBJECT
public:
    RightsWatch(
        transport::Connection &commands, transport::Subscriber &subscriber, MissingRights &rights, QObject *parent);

    /// Once all that is needed has been tried. `known` is called when it is known what is missing; at once if nothing.
    void start(std::function<void()> known);
    void stop();
    void somethingIsMissing(); // found later
    void setInCluster(bool inCluster) { m_inCluster = inCluster; } // known without INFO
    void askFor(const LockName &name) { m_lock = name; } // a lock that may not be read

Q_SIGNALS:
    void found(); // more is missing than was known
    void regained(); // something was missing and is not any more

private:
    struct Round;
    using Known = std::function<void()>;

    void look(Known known);
    void ask(const std::shared_ptr<Round> &round, RightQuestion question);
    void listen(const std::shared_ptr<Round> &round, monitor::Right right, const std::string &channel);
    void askAll(const std::shared_ptr<Round> &round);
    void answered(Round &round);
    void conclude(Round &round);

    transport::Connection &m_commands;
    transport::Subscriber &m_subscriber;
    MissingRights &m_rights;
    QTimer m_timer;
    int m_timesGiven = 0; // a right, since none was missing
    LockName m_lock;
    std::uint64_t m_round = 0;
    bool m_inCluster = false;
    bool m_complete = false;
};

} // namespace lockcore::service
