// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/private_server.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

namespace app {

using lockcore::ErrorCode;
using lockcore::failure;
using lockcore::Result;

namespace {

using namespace std::chrono_literals;

constexpr auto ServerLookEvery = 10ms;
constexpr int MostServerLooks = 1'000; // ten seconds
constexpr std::size_t LongestFolder = 80; // a socket's path has room for 107 bytes
constexpr const char *Starting = "starting a private redis-server";

/// $1: the folder; $2: redis-server; $3: its mode. Its input is our pipe: nothing is ever written, its end is our end.
/// A server that stands still can be killed all the same.
constexpr const char *Guardian = R"(
trap '' HUP INT QUIT
"$2" "$1/redis.conf" $3 </dev/null &
server=$!
trap 'kill -9 $server; rm -rf "$1"' EXIT
trap 'exit' TERM
read -r end
)";

/// Empty: it cannot be made. The former one, where there was one: a socket is found by its path.
std::string makeFolder(const std::string &former)
{
    if (!former.empty())
        return ::mkdir(former.c_str(), S_IRWXU) == 0 ? former : std::string();
    std::string base = QFile::encodeName(QDir::tempPath()).toStdString();
    if (base.size() > LongestFolder)
        base = "/tmp";
    std::string folder = base + "/lockscope-demo-XXXXXX";
    return ::mkdtemp(folder.data()) != nullptr ? folder : std::string();
}

std::string systemMessage(int code) { return std::strerror(code); }

/// Of the loopback; somebody else may take it before the server does.
std::uint16_t freePort()
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool found = ::bind(probe, reinterpret_cast<const sockaddr *>(&address), size) == 0
        && ::getsockname(probe, reinterpret_cast<sockaddr *>(&address), &size) == 0;
    ::close(probe);
    return found ? ntohs(address.sin_port) : std::uint16_t{ 0 };
}

/// Whether a server listens there. Cheap and never waiting: a Unix socket says so at once.
bool isListening(const std::string &path)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool listening = ::connect(probe, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
    ::close(probe);
    return listening;
}

/// Starts the guardian in a session of its own, so that Ctrl-C in our terminal does not reach it before we are done.
int spawnGuardian(
    const std::string &redisServer, const std::string &folder, bool isSentinel, int readEnd, pid_t &guardian)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, readEnd, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::string arguments[]
        = { "sh", "-c", Guardian, "lockscope-demo", folder, redisServer, isSentinel ? "--sentinel" : "" };
    char *argv[] = { arguments[0].data(), arguments[1].data(), arguments[2].data(), arguments[3].data(),
        arguments[4].data(), arguments[5].data(), arguments[6].data(), nullptr };
    const int code = ::posix_spawn(&guardian, "/bin/sh", &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

} // namespace

PrivateServer::PrivateServer(PrivateServerOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_timer.setInterval(ServerLookEvery);
    connect(&m_timer, &QTimer::timeout, this, &PrivateServer::look);
}

PrivateServer::~PrivateServer() { end(); }

Result<std::string> PrivateServer::find()
{
    for (const char *name : { "redis-server", "valkey-server" }) {
        const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name));
        if (!path.isEmpty())
            return QFile::encodeName(path).toStdString();
    }
    return failure(ErrorCode::FileFailed, "redis-server is not installed; install the package redis-server", Starting);
}

void PrivateServer::start()
{
    end();
    m_looks = 0;
    m_choosesPorts = m_port == 0;
    launch();
}

void PrivateServer::launch()
{
    const Result<void> started = find().and_then([this](const std::string &program) { return spawn(program); });
    if (started)
        m_timer.start();
    else
        QMetaObject::invokeMethod(
            this, [this, error = started.error()] { Q_EMIT failed(error); }, Qt::QueuedConnection);
}

void PrivateServer::kill() { signalServer(SIGKILL); }

void PrivateServer::pause() { signalServer(SIGSTOP); }

void PrivateServer::resume() { signalServer(SIGCONT); }

lockcore::transport::Endpoint PrivateServer::endpoint() const
{
    lockcore::transport::Endpoint endpoint;
    if (m_options.listensOnTcp)
        endpoint.port = m_port;
    else
        endpoint.socketPath = socketPath();
    return endpoint;
}

Result<void> PrivateServer::spawn(const std::string &redisServer)
{
    const std::string folder = makeFolder(m_folder);
    if (folder.empty())
        return failure(ErrorCode::FileFailed, systemMessage(errno), "making a temporary folder for redis-server");
    m_folder = folder;
    if (m_options.listensOnTcp && m_port == 0)
        m_port = freePort();
    if (m_options.isClusterNode && m_busPort == 0)
        m_busPort = freePort();
    auto started = writeConfig().and_then([&] { return startGuardian(redisServer); });
    if (!started)
        QDir(QFile::decodeName(m_folder.c_str())).removeRecursively();
    return started;
}

Result<void> PrivateServer::startGuardian(const std::string &redisServer)
{
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0)
        return failure(ErrorCode::FileFailed, systemMessage(errno), Starting);
    const int code = spawnGuardian(redisServer, m_folder, m_options.isSentinel, pipe[0], m_guardian);
    ::close(pipe[0]);
    if (code == 0) {
        m_pipe = pipe[1];
        return {};
    }
    ::close(pipe[1]);
    m_guardian = -1;
    return failure(ErrorCode::FileFailed, systemMessage(code), "starting /bin/sh for redis-server");
}

Result<void> PrivateServer::writeConfig() const
{
    std::string lines = "port " + std::to_string(m_port) + "\nbind 127.0.0.1\nunixsocket " + socketPath()
        + "\nunixsocketperm 700\ndir " + m_folder + "\npidfile " + m_folder
        + "/redis.pid\nloglevel warning\nlogfile redis.log\n";
    if (!m_options.isSentinel)
        lines += "save \"\"\nappendonly no\ndatabases 1\n";
    if (m_options.isClusterNode)
        lines += "cluster-enabled yes\ncluster-port " + std::to_string(m_busPort)
            + "\ncluster-node-timeout 5000\ncluster-require-full-coverage no\n";
    for (const std::string &line : m_options.config)
        lines += line + '\n';
    QFile file(fileIn("redis.conf"));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(lines)) < 0 || !file.flush())
        return failure(ErrorCode::FileFailed, file.errorString().toStdString(), Starting);
    return {};
}

void PrivateServer::end()
{
    m_timer.stop();
    if (m_guardian < 0)
        return;
    ::close(m_pipe);
    ::waitpid(m_guardian, nullptr, 0);
    m_guardian = -1;
}

void PrivateServer::look()
{
    // Once it has written its number, nothing keeps it from serving any more.
    const bool listening = QFile::exists(fileIn("redis.pid")) && isListening(socketPath());
    if (!listening && ++m_looks < MostServerLooks) {
        if (m_choosesPorts && isPortTaken())
            takeOtherPorts();
        return;
    }
    m_timer.stop();
    if (listening)
        Q_EMIT ready();
    else
        Q_EMIT failed({ ErrorCode::FileFailed, "it does not answer", Starting });
}

/// As the server says before it ends.
bool PrivateServer::isPortTaken() const
{
    QFile log(fileIn("redis.log"));
    return log.open(QIODevice::ReadOnly) && log.readAll().contains("Address already in use");
}

void PrivateServer::takeOtherPorts()
{
    end();
    m_port = 0;
    m_busPort = 0;
    launch();
}

QString PrivateServer::fileIn(const char *name) const { return QFile::decodeName((m_folder + '/' + name).c_str()); }

/// The server is a child of the guardian, who never waits for it: its number is nobody else's meanwhile.
void PrivateServer::signalServer(int number) const
{
    QFile file(fileIn("redis.pid"));
    const int process = file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
    if (m_guardian >= 0 && process > 0)
        ::kill(process, number);
}

} // namespace app
