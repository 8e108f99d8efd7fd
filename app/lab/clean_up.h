// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/exit_status.h"
#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/deployment.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace app {

/// Reads a line with the names of the locks of a play, as JSON, waits for the end of its input, and then deletes the
/// keys of these locks until two looks have found none: commands of clients that were killed may still be on their way.
/// Then it goes through all keys once, in small steps with rests, for what has the prefix of the play and a name that
/// only its client knew. Before that it tries that it may, so that nothing begins that could not be put right.
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
    void takeNames(const QByteArray &line);
    void tellWhenReady();
    void begin();
    void look();
    void deleteNext();
    void lookIsOver();
    void scan();
    void take(const lockcore::protocol::Reply &page);
    lockcore::Millis restAfter(lockcore::Millis answerTook);
    void fail(const lockcore::Error &error);
    /// The answer, where it is none of an error; a lost connection comes back, and all begins anew.
    template <typename Then>
    auto answered(Then then);

    std::string m_prefix;
    std::unique_ptr<lockcore::transport::Connection> m_connection;
    std::unique_ptr<QSocketNotifier> m_input;
    QByteArray m_read; // of the line, while it is not whole
    std::vector<std::string> m_keys; // of the locks
    QTimer m_limit; // without an answer
    QTimer m_again;
    QTimer m_rest; // between two pages
    bool m_knowsNames = false;
    bool m_may = false;
    bool m_isTold = false; // that both is so
    bool m_hasBegun = false;
    std::size_t m_next = 0; // of the keys
    std::int64_t m_found = 0; // in this look
    int m_cleanLooks = 0; // one after the other
    std::string m_cursor; // of the walk through all keys
    lockcore::MonoTime m_askedAt; // for the page
    lockcore::Millis m_fastest = lockcore::Millis::max(); // answer
};

} // namespace app
