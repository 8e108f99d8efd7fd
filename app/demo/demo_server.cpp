// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_server.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

namespace app {

using lockcore::ErrorCode;
using lockcore::failure;
using lockcore::Result;

namespace {

using namespace std::chrono_literals;

constexpr auto LookEvery = 10ms;
constexpr int MostLooks = 1'000; // ten seconds
constexpr std::size_t LongestFolder = 80; // a socket's path has room for 107 bytes

/// $1: the folder; $2: redis-server. Its input is our pipe: nothing is ever written, its end is our end.
constexpr const char *Guardian = R"(
trap '' HUP INT QUIT
"$2" --port 0 --unixsocket "$1/redis.sock" --unixsocketperm 700 --dir "$1" \
    --save '' --appendonly no --databases 1 --loglevel warning --logfile redis.log </dev/null &
server=$!
trap 'kill -9 $server; rm -rf "$1"' EXIT
trap 'exit' TERM
read -r end
)";

std::string findRedisServer()
{
    for (const char *name : { "redis-server", "valkey-server" }) {
        const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name));
        if (!path.isEmpty())
            return QFile::encodeName(path).toStdString();
    }
    return {};
}

std::string makeFolder()
{
    std::string base = QFile::encodeName(QDir::tempPath()).toStdString();
    if (base.size() > LongestFolder)
        base = "/tmp";
    std::string folder = base + "/lockscope-demo-XXXXXX";
    return ::mkdtemp(folder.data()) != nullptr ? folder : std::string();
}

std::string systemMessage(int code) { return std::strerror(code); }

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
int spawnGuardian(const std::string &redisServer, const std::string &folder, int readEnd, pid_t &guardian)
{
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, readEnd, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    std::string arguments[] = { "sh", "-c", Guardian, "lockscope-demo", folder, redisServer };
    char *argv[] = { arguments[0].data(), arguments[1].data(), arguments[2].data(), arguments[3].data(),
        arguments[4].data(), arguments[5].data(), nullptr };
    const int code = ::posix_spawn(&guardian, "/bin/sh", &files, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

} // namespace

DemoServer::DemoServer(QObject *parent)
    : QObject(parent)
{
    m_timer.setInterval(LookEvery);
    connect(&m_timer, &QTimer::timeout, this, &DemoServer::look);
}

DemoServer::~DemoServer()
{
    if (m_guardian < 0)
        return;
    ::close(m_pipe);
    ::waitpid(m_guardian, nullptr, 0);
}

void DemoServer::start()
{
    const std::string redisServer = findRedisServer();
    const Result<void> started = redisServer.empty()
        ? failure(ErrorCode::FileFailed, "redis-server is not installed; install the package redis-server",
            "starting the demo")
        : spawn(redisServer);
    if (started)
        m_timer.start();
    else
        QMetaObject::invokeMethod(
            this, [this, error = started.error()] { Q_EMIT failed(error); }, Qt::QueuedConnection);
}

lockcore::transport::Endpoint DemoServer::endpoint() const
{
    lockcore::transport::Endpoint endpoint;
    endpoint.socketPath = m_folder + "/redis.sock";
    return endpoint;
}

QString DemoServer::auditFile() const { return QFile::decodeName((m_folder + "/audit.jsonl").c_str()); }

Result<void> DemoServer::spawn(const std::string &redisServer)
{
    m_folder = makeFolder();
    if (m_folder.empty())
        return failure(ErrorCode::FileFailed, systemMessage(errno), "making a temporary folder for the demo");
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0)
        return failure(ErrorCode::FileFailed, systemMessage(errno), "starting the demo");
    const int code = spawnGuardian(redisServer, m_folder, pipe[0], m_guardian);
    ::close(pipe[0]);
    m_pipe = pipe[1];
    if (code != 0) {
        m_guardian = -1;
        ::rmdir(m_folder.c_str());
        return failure(ErrorCode::FileFailed, systemMessage(code), "starting /bin/sh for the demo");
    }
    return {};
}

void DemoServer::look()
{
    const bool listening = isListening(endpoint().socketPath);
    if (!listening && ++m_looks < MostLooks)
        return;
    m_timer.stop();
    if (listening)
        Q_EMIT ready();
    else
        Q_EMIT failed({ ErrorCode::FileFailed, "it does not answer", "starting redis-server for the demo" });
}

Demo::Demo(QObject *parent)
    : QObject(parent)
{
    connect(&m_server, &DemoServer::failed, this, &Demo::failed);
    connect(&m_server, &DemoServer::ready, this, &Demo::ready);
    connect(&m_server, &DemoServer::ready, this, [this] {
        bool given = false;
        const int seed = qEnvironmentVariableIntValue("LOCKSCOPE_DEMO_SEED", &given);
        m_shop.start(m_server.endpoint(), given ? static_cast<std::uint32_t>(seed) : std::random_device()());
        m_report = std::make_unique<Report>(m_server.endpoint());
        if (m_hasOperator)
            m_operator = std::make_unique<Operator>(m_server.endpoint(), m_server.auditFile());
    });
    connect(&m_shop, &Shop::opened, this, &Demo::opened);
}

void Demo::start() { m_server.start(); }

} // namespace app
