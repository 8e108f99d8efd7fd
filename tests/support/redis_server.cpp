// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_server.h"

#include <QElapsedTimer>
#include <QFile>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QTcpServer>
#include <QUrl>
#include <csignal>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace testsupport {

using lockcore::transport::Endpoint;

namespace {

constexpr int StartAttempts = 5; // another program may take the port between the choice and the start
constexpr int StartLimitMs = 20'000;
constexpr int StopLimitMs = 10'000;

} // namespace

quint16 freePort()
{
    QTcpServer probe;
    probe.listen(QHostAddress::LocalHost);
    return probe.serverPort();
}

RedisServer::RedisServer(RedisServerOptions options)
    : m_options(std::move(options))
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    const pid_t parent = getpid();
    m_process.setChildProcessModifier([parent] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) // it died before the line above
            _exit(1);
    });
}

RedisServer::~RedisServer() { kill(); }

bool RedisServer::available() { return !QStandardPaths::findExecutable(u"redis-server"_s).isEmpty(); }

bool RedisServer::start()
{
    for (int attempt = 0; attempt < StartAttempts; ++attempt) {
        if (chooseFolderAndPorts() && writeConfig() && launch())
            return true;
    }
    return false;
}

bool RedisServer::chooseFolderAndPorts()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_port = freePort();
    m_busPort = m_options.cluster ? freePort() : 0;
    if (m_options.tls) {
        m_certificates
            = m_options.certificates.caFile.isEmpty() ? makeCertificates(m_folder->path()) : m_options.certificates;
        m_tlsPort = freePort();
        return !m_certificates.caFile.isEmpty() && m_tlsPort != m_port;
    }
    return m_folder->isValid();
}

bool RedisServer::writeConfig() const
{
    QStringList lines{ u"bind 127.0.0.1"_s, u"port %1"_s.arg(m_port), u"unixsocket %1"_s.arg(socketPath()),
        u"dir %1"_s.arg(m_folder->path()), u"logfile %1/redis.log"_s.arg(m_folder->path()), u"save \"\""_s,
        u"appendonly no"_s, u"daemonize no"_s };
    if (m_options.tls) {
        lines << u"tls-port %1"_s.arg(m_tlsPort) << u"tls-cert-file %1"_s.arg(m_certificates.serverCertificate)
              << u"tls-key-file %1"_s.arg(m_certificates.serverKey)
              << u"tls-ca-cert-file %1"_s.arg(m_certificates.caFile)
              << (m_options.clientCertificates ? u"tls-auth-clients yes"_s : u"tls-auth-clients no"_s);
    }
    if (m_options.cluster)
        lines << u"cluster-enabled yes"_s << u"cluster-port %1"_s.arg(m_busPort);
    if (!m_options.password.isEmpty())
        lines << u"requirepass \"%1\""_s.arg(m_options.password);
    for (const QString &user : m_options.users)
        lines << u"user "_s + user;
    lines += m_options.config;
    QFile file(m_folder->filePath(u"redis.conf"_s));
    return file.open(QIODevice::WriteOnly) && file.write(lines.join(u'\n').toUtf8() + '\n') > 0;
}

bool RedisServer::launch()
{
    QStringList arguments{ m_folder->filePath(u"redis.conf"_s) };
    if (m_options.sentinel)
        arguments << u"--sentinel"_s;
    m_process.start(u"redis-server"_s, arguments);
    QElapsedTimer elapsed;
    elapsed.start();
    while (m_process.state() != QProcess::NotRunning && elapsed.elapsed() < StartLimitMs) {
        if (answers())
            return true;
        m_process.waitForFinished(5);
    }
    kill();
    qWarning("redis-server did not start: %s", m_process.readAll().constData());
    return false;
}

bool RedisServer::answers() const
{
    QLocalSocket socket;
    socket.connectToServer(socketPath());
    if (!socket.waitForConnected(100) || socket.write("PING\r\n") < 0)
        return false;
    QByteArray line;
    while (!line.endsWith('\n') && socket.waitForReadyRead(1'000))
        line += socket.readAll();
    return !line.isEmpty() && !line.startsWith("-LOADING"); // an answer asking for a password is one too
}

void RedisServer::stop()
{
    resume();
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(StopLimitMs))
        kill();
}

void RedisServer::kill()
{
    m_paused = false;
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished(StopLimitMs);
}

bool RedisServer::restart()
{
    stop();
    return launch();
}

void RedisServer::pause()
{
    ::kill(static_cast<pid_t>(m_process.processId()), SIGSTOP);
    m_paused = true;
}

void RedisServer::resume()
{
    if (m_paused)
        ::kill(static_cast<pid_t>(m_process.processId()), SIGCONT);
    m_paused = false;
}

QString RedisServer::socketPath() const { return m_folder->filePath(u"redis.sock"_s); }

Endpoint RedisServer::endpoint() const
{
    Endpoint endpoint;
    endpoint.port = m_port;
    endpoint.password = m_options.password.toStdString();
    return endpoint;
}

Endpoint RedisServer::tlsEndpoint() const
{
    Endpoint endpoint = this->endpoint();
    endpoint.port = m_tlsPort;
    endpoint.tls.enabled = true;
    endpoint.tls.caFile = m_certificates.caFile.toStdString();
    if (m_options.clientCertificates) {
        endpoint.tls.certificateFile = m_certificates.clientCertificate.toStdString();
        endpoint.tls.keyFile = m_certificates.clientKey.toStdString();
    }
    return endpoint;
}

Endpoint RedisServer::socketEndpoint() const
{
    Endpoint endpoint = this->endpoint();
    endpoint.socketPath = socketPath().toStdString();
    return endpoint;
}

QString RedisServer::url() const
{
    const QString password = QString::fromLatin1(QUrl::toPercentEncoding(m_options.password));
    const QString login = password.isEmpty() ? QString() : u":%1@"_s.arg(password);
    return u"redis://"_s + login + u"127.0.0.1:"_s + QString::number(m_port);
}

QString RedisServer::socketUrl() const { return u"unix://"_s + socketPath(); }

QByteArray RedisServer::cli(const QStringList &arguments) const
{
    QProcess process;
    if (!m_options.password.isEmpty()) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"REDISCLI_AUTH"_s, m_options.password);
        process.setProcessEnvironment(environment);
    }
    process.start(u"redis-cli"_s, QStringList{ u"-s"_s, socketPath() } + arguments);
    process.waitForFinished(StartLimitMs);
    QByteArray output = process.readAll();
    if (output.endsWith('\n'))
        output.chop(1);
    return output;
}

} // namespace testsupport
