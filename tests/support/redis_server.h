// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/endpoint.h"
#include "tests/support/test_certificates.h"

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

/// First line of initTestCase(): without redis-server the tests are skipped; with REQUIRE_REDIS=1 they fail.
#define NEED_REDIS_SERVER()                                                                                            \
    do {                                                                                                               \
        if (!testsupport::RedisServer::available()) {                                                                  \
            if (qEnvironmentVariableIntValue("REQUIRE_REDIS") == 1)                                                    \
                QFAIL("redis-server is not installed");                                                                \
            QSKIP("redis-server is not installed");                                                                    \
        }                                                                                                              \
    } while (false)

namespace testsupport {

struct RedisServerOptions {
    bool sentinel = false; // a Redis Sentinel
    bool cluster = false; // a node of a cluster, which the others reach at a port of its own
    bool tls = false; // a second port that speaks TLS, with certificates made on the fly
    bool clientCertificates = false; // with tls: clients have to show one
    TestCertificates certificates = {}; // with tls: those of several servers that trust each other
    QString password = {}; // of the default user
    QStringList users = {}; // ACL lines: `lockmon on >secret ~* +@read`
    QStringList config = {}; // further lines of redis.conf: `notify-keyspace-events KEA`
};

quint16 freePort();

/// A private redis-server in a temporary folder, on free TCP ports and a Unix socket, without persistence.
/// Gone with the object, and also when the test is killed. Blocks while it starts and stops.
class RedisServer {
public:
    explicit RedisServer(RedisServerOptions options = {});
    ~RedisServer();

    static bool available();

    bool start(); // true once it answers
    void stop(); // SIGTERM
    void kill(); // SIGKILL
    bool restart(); // on the same ports, with an empty data set
    void pause(); // SIGSTOP: connections stay, nothing answers
    void resume();

    quint16 port() const { return m_port; }
    quint16 tlsPort() const { return m_tlsPort; }
    quint16 busPort() const { return m_busPort; } // of a node of a cluster
    QString socketPath() const;
    const TestCertificates &certificates() const { return m_certificates; }

    lockcore::transport::Endpoint endpoint() const; // TCP, with the password
    /// With the authority, and the client certificate if one is asked for.
    lockcore::transport::Endpoint tlsEndpoint() const;
    lockcore::transport::Endpoint socketEndpoint() const;
    QString url() const; // endpoint() as redis://
    QString socketUrl() const;

    /// Output of `redis-cli` as the default user over the Unix socket, without the last line break.
    QByteArray cli(const QStringList &arguments) const;

private:
    bool chooseFolderAndPorts();
    bool writeConfig() const;
    bool launch();
    bool answers() const;

    RedisServerOptions m_options;
    std::unique_ptr<QTemporaryDir> m_folder;
    TestCertificates m_certificates;
    quint16 m_port = 0;
    quint16 m_tlsPort = 0;
    quint16 m_busPort = 0;
    QProcess m_process;
    bool m_paused = false;
};

} // namespace testsupport
