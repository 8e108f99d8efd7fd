// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/foreign_server.h"

#include "app/common/words.h"
#include "app/lab/client_protocol.h"
#include "ui/text/connection_url.h"
#include "ui/text/json.h"

#include <QRandomGenerator>
#include <algorithm>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

namespace app {

using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::transport::Deployment;
using lockcore::transport::Topology;
using lockui::lab::Act;
using lockui::lab::Actor;
using lockui::lab::ClientProgramKind;
using lockui::lab::Scenario;
using lockui::lab::Step;

namespace {

constexpr std::string_view PrefixBegins = "lockscope-lab:";
constexpr std::size_t PrefixDigits = 16;

tl::unexpected<lockcore::Error> notHere(const QString &why)
{
    return tl::unexpected(complaint(ErrorCode::NotSupported, why, "run"));
}

bool isOnlyForPrivateServers(const Step &step)
{
    return lockcore::rowOf(lockui::lab::Acts, step.act).actor == Actor::Server || step.act == Act::Cut
        || step.act == Act::Mend;
}

/// Its end would kill the process, and may come only after that of this thread: so it is kept to the end of the
/// program.
void goesOnAlone(std::unique_ptr<QProcess> process)
{
    static auto &alone = *new std::vector<QProcess *>;
    static std::mutex gate;
    const std::lock_guard guard(gate);
    alone.push_back(process.release());
}

} // namespace

std::string newLabPrefix()
{
    const QString digits = QStringLiteral("%1").arg(
        QRandomGenerator::system()->generate64(), static_cast<int>(PrefixDigits), 16, QLatin1Char('0'));
    return std::string(PrefixBegins) + digits.toStdString() + ':';
}

bool isLabPrefix(std::string_view text)
{
    if (text.size() != PrefixBegins.size() + PrefixDigits + 1 || !text.starts_with(PrefixBegins)
        || !text.ends_with(':'))
        return false;
    const std::string_view digits = text.substr(PrefixBegins.size(), PrefixDigits);
    return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<void> checkForeign(const Scenario &scenario, const Deployment &deployment)
{
    const QString name = shown(scenario.name);
    if (scenario.setting != lockui::lab::Setting::One)
        return notHere(Words::tr(
            "'%1' wants several servers that it can stop: it can only be played on private ones, without --url")
                           .arg(name));
    const auto step = std::ranges::find_if(scenario.steps, isOnlyForPrivateServers);
    if (step != scenario.steps.end())
        return notHere(Words::tr(
            "step %1 of '%2' is %3, which is done to private servers only: it can only be played without --url")
                           .arg(shown(step->id), name, QString::fromLatin1(nameOf(step->act))));
    const bool hasRedisson = std::ranges::any_of(
        scenario.clients, [](const auto &client) { return client.program == ClientProgramKind::Redisson; });
    if (hasRedisson)
        return notHere(
            Words::tr("a client of '%1' is a Redisson, which is connected to private servers only: it is played "
                      "without --url")
                .arg(name));
    if (deployment.topology != Topology::Single)
        return notHere(Words::tr("scenarios are played on one server: redis://, rediss:// or unix://"));
    if (!deployment.seeds.front().tls.certificateFile.empty())
        return notHere(Words::tr("clients of scenarios have no certificate to show to the server"));
    return {};
}

QStringList serverArguments(const Deployment &deployment)
{
    QStringList arguments{ QStringLiteral("--url"), lockui::connectionUrl(deployment) };
    if (const std::string &authorities = deployment.seeds.front().tls.caFile; !authorities.empty())
        arguments << QStringLiteral("--ca-file") << QString::fromStdString(authorities);
    return arguments;
}

QProcessEnvironment serverEnvironment(const Deployment &deployment)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto tell = [&environment](const char *name, const std::string &value) {
        environment.remove(QString::fromLatin1(name)); // ours is for another server
        if (!value.empty())
            environment.insert(QString::fromLatin1(name), QString::fromStdString(value));
    };
    tell("LOCKSCOPE_PASSWORD", deployment.seeds.front().password);
    tell("LOCKSCOPE_SENTINEL_USER", deployment.sentinelUser);
    tell("LOCKSCOPE_SENTINEL_PASSWORD", deployment.sentinelPassword);
    return environment;
}

CleanUpProcess::CleanUpProcess(QString program, ForeignServer server, QObject *parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_server(std::move(server))
    , m_process(std::make_unique<QProcess>())
{
    m_process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process->setProcessEnvironment(serverEnvironment(m_server.deployment));
    // Neither Ctrl+C nor the end of a terminal keeps it from what it is for.
    m_process->setChildProcessModifier([] { ::setsid(); });
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &CleanUpProcess::read);
    connect(m_process.get(), &QProcess::finished, this, &CleanUpProcess::ended);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
}

CleanUpProcess::~CleanUpProcess()
{
    m_process->disconnect(this);
    if (m_process->state() == QProcess::NotRunning)
        return;
    m_process->closeWriteChannel();
    goesOnAlone(std::move(m_process));
}

void CleanUpProcess::start(const std::vector<lockcore::LockName> &locks)
{
    m_process->start(m_program,
        serverArguments(m_server.deployment)
            << QStringLiteral("client") << QStringLiteral("--clean-up") << QString::fromStdString(m_server.prefix));
    m_process->write(QByteArray::fromStdString(lockui::JsonValue(locks).dump()) + '\n');
}

void CleanUpProcess::begin()
{
    m_hasBegun = true;
    m_process->closeWriteChannel();
    if (m_process->state() == QProcess::NotRunning)
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT cleaned(false); }, Qt::QueuedConnection);
}

void CleanUpProcess::read()
{
    while (m_process->canReadLine()) {
        const auto message = readMessage(m_process->readLine());
        const auto *news = message ? std::get_if<ClientNews>(&*message) : nullptr;
        if (news && news->what == ClientNews::What::Disconnected)
            m_why = QString::fromStdString(news->message);
        if (news && news->what == ClientNews::What::Ready && !std::exchange(m_isReady, true))
            Q_EMIT ready();
    }
}

void CleanUpProcess::ended()
{
    if (m_hasBegun)
        return Q_EMIT cleaned(m_process->exitStatus() == QProcess::NormalExit && m_process->exitCode() == 0);
    read();
    const QString what = Words::tr("the process that would remove what is left behind has ended");
    Q_EMIT failed(complaint(ErrorCode::FileFailed,
        m_why.isEmpty() ? what : Words::tr("%1: %2").arg(what, shown(m_why.toStdString())), "run"));
}

} // namespace app
