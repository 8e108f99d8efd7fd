// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <string>
#include <vector>

namespace app {

struct PrivateServerOptions {
    bool listensOnTcp = false; // on the loopback, at a free port; else on a Unix socket alone
    bool isSentinel = false;
    bool isClusterNode = false; // that knows no other yet, and has no slots
    std::vector<std::string> config = {}; // further lines of redis.conf
};

/// A private redis-server in a folder of its own: nothing is written to disk. It ends with this object, or with the
/// program, however that ends: a small shell script waits for the end of a pipe from us.
/// Errors: `failed` with local/file-failed when there is no redis-server, or it does not start.
class PrivateServer : public QObject {
    Q_OBJECT
public:
    explicit PrivateServer(PrivateServerOptions options = {}, QObject *parent = nullptr);
    ~PrivateServer() override; // waits until the server and its folder are gone

    void start(); // again after a kill: empty, at the same port and the same path
    void kill(); // SIGKILL
    void pause(); // SIGSTOP: connections stay, nothing answers
    void resume();

    /// By TCP where it listens there, else by the socket.
    lockcore::transport::Endpoint endpoint() const;
    std::uint16_t busPort() const { return m_busPort; } // of a cluster's node, for the others
    std::string folder() const { return m_folder; } // gone with the server

    static lockcore::Result<std::string> find(); // the program

Q_SIGNALS:
    void ready();
    void failed(const lockcore::Error &error);

private:
    lockcore::Result<void> spawn(const std::string &redisServer);
    lockcore::Result<void> writeConfig() const;
    lockcore::Result<void> startGuardian(const std::string &redisServer);
    void end();
    void look();
    void launch();
    bool isPortTaken() const;
    void takeOtherPorts();
    QString fileIn(const char *name) const; // of its folder
    void signalServer(int number) const;
    std::string socketPath() const { return m_folder + "/redis.sock"; }

    PrivateServerOptions m_options;
    std::string m_folder;
    std::uint16_t m_port = 0; // 0: not chosen yet, or there is none
    std::uint16_t m_busPort = 0; // likewise
    int m_pipe = -1;
    int m_guardian = -1;
    bool m_choosesPorts = false; // nobody knows them yet
    QTimer m_timer;
    int m_looks = 0;
};

} // namespace app
