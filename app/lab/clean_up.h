// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/exit_status.h"
#include "lockcore/base/result.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <memory>
#include <string>

namespace app {

/// Waits for the end of its input, and then deletes every key that has the prefix of a play in its name, until two
/// looks at all keys have found none: commands of clients that were killed may still be on their way. Before that it
/// tries that it may, so that nothing begins that could not be put right.
class CleanUp : public QObject {
    Q_OBJECT
public:
    explicit CleanUp(std::string prefix, QObject *parent = nullptr);

    void start(const lockcore::transport::Deployment &deployment);

Q_SIGNALS:
    void finished(int status);

private:
    void tryWhetherItMay();
    void inputArrives();
    void begin();
    void look();
    void scan();
    void take(const lockcore::protocol::Reply &page);
    void lookIsOver();
    void fail(const lockcore::Error &error);
    /// The answer, where it is none of an error; a lost connection comes back, and all begins anew.
    template <typename Then>
    auto answered(Then then);

    std::string m_prefix;
    std::unique_ptr<lockcore::transport::Connection> m_connection;
    std::unique_ptr<QSocketNotifier> m_input;
    QTimer m_limit;
    QTimer m_again;
    bool m_isTold = false; // that it may
    bool m_hasBegun = false;
    std::string m_cursor;
    std::size_t m_found = 0; // in this look
    int m_cleanLooks = 0; // one after the other
};

} // namespace app
