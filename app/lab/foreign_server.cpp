// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/foreign_server.h"

#include "app/common/words.h"
#include "app/lab/client_protocol.h"
#include "ui/text/connection_url.h"

#include <QRandomGenerator>
#include <algorithm>
#include <cstdio>
#include <unistd.h>

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
constexpr int CleaningTakesMs = 330'000; // it tries for five minutes
constexpr int ShortPatienceMs = 10'000; // where a window waits for it

tl::unexpected<lockcore::Error> notHere(const QString &why)
{
    return tl::unexpected(complaint(ErrorCode::NotSupported, why, "run"));
}

bool isOnlyForPrivateServers(const Step &step)
{
    return lockcore::rowOf(lockui::lab::Acts, step.act).actor == Actor::Server || step.act == Act::Cut
        || step.act == Act::Mend;
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
        environment.remove(QString::fromLatin1(name));
        if (!value.empty())
            environment.insert(QString::fromLatin1(name), QString::fromStdString(value));
    };
    tell("LOCKSCOPE_PASSWORD", deployment.seeds.front().password);
    tell("LOCKSCOPE_SENTINEL_USER", deployment.sentinelUser);
    tell("LOCKSCOPE_SENTINEL_PASSWORD", deployment.sentinelPassword);
    return environment;
}

CleanUpProcess::CleanUpProcess(
    const QString &program, const ForeignServer &server, std::function<void()> somethingIsLeft, QObject *parent)
    : QObject(parent)
    , m_somethingIsLeft(std::move(somethingIsLeft))
{
    m_process.setProcessEnvironment(serverEnvironment(server.deployment));
    if (m_somethingIsLeft) // a shell, in which it can be read also when this program is killed
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    // Neither Ctrl+C nor the end of a terminal keeps it from what it is for.
    m_process.setChildProcessModifier([] { ::setsid(); });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &CleanUpProcess::read);
    connect(&m_process, &QProcess::readyReadStandardError, this, &CleanUpProcess::readComplaint);
    connect(&m_process, &QProcess::finished, this, &CleanUpProcess::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
    m_process.start(program,
        serverArguments(server.deployment)
            << QStringLiteral("client") << QStringLiteral("--clean-up") << QString::fromStdString(server.prefix));
}

CleanUpProcess::~CleanUpProcess()
{
    m_process.disconnect(this);
    m_process.closeWriteChannel();
    const bool isOver = m_process.waitForFinished(m_somethingIsLeft ? CleaningTakesMs : ShortPatienceMs)
        || m_process.state() == QProcess::NotRunning;
    readComplaint();
    if (m_somethingIsLeft && (!isOver || m_process.exitCode() != 0))
        m_somethingIsLeft();
    else if (!isOver)
        m_process.leave();
}

void CleanUpProcess::read()
{
    while (m_process.canReadLine()) {
        const auto message = readMessage(m_process.readLine());
        const auto *news = message ? std::get_if<ClientNews>(&*message) : nullptr;
        if (news && news->what == ClientNews::What::Ready && !std::exchange(m_isReady, true))
            Q_EMIT ready();
    }
}

/// Passed on, for whoever looks there.
void CleanUpProcess::readComplaint()
{
    const QByteArray said = m_process.readAllStandardError();
    std::fwrite(said.constData(), 1, static_cast<std::size_t>(said.size()), stderr);
    m_said += said;
}

void CleanUpProcess::ended()
{
    readComplaint();
    const QString what = Words::tr("the process that would remove what the scenario leaves behind has ended");
    const QByteArray why = m_said.trimmed();
    Q_EMIT failed(complaint(
        ErrorCode::FileFailed, why.isEmpty() ? what : Words::tr("%1: %2").arg(what, shown(why.toStdString())), "run"));
}

} // namespace app
