// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockscope/composition.h"

#include "app/common/audit_path.h"
#include "app/common/exit_status.h"
#include "app/common/saved_connections.h"
#include "app/demo/workload_step.h"
#include "app/lab/lab_tools.h"
#include "ui/lab/lab_session.h"

#include <QApplication>
#include <QFile>

namespace app {

using lockcore::transport::Deployment;
using lockui::lab::LabSession;

namespace {

const QString ThemeKey = QStringLiteral("window/theme");

lockcore::service::MonitorOptions monitorOptions()
{
    lockcore::service::MonitorOptions options;
    options.snapshotsPerSecond = 20; // more than that nobody can follow
    options.auditFile = preparedAuditFile(auditPath());
    return options;
}

/// The same place as it is known, with what the command line says of it beside its URL.
Deployment asSaid(Deployment known, const Deployment &said)
{
    const auto take = [](std::string &text, const std::string &from) {
        if (!from.empty())
            text = from;
    };
    for (lockcore::transport::Endpoint &seed : known.seeds) {
        take(seed.password, said.seeds.front().password);
        take(seed.tls.caFile, said.seeds.front().tls.caFile);
    }
    take(known.sentinelUser, said.sentinelUser);
    take(known.sentinelPassword, said.sentinelPassword);
    return known;
}

} // namespace

Composition::Composition(QApplication &application, CommandLine commandLine)
    : m_commandLine(std::move(commandLine))
    , m_settings(openSettings(m_commandLine.configFile))
    , m_connections(*m_settings, m_secrets)
    , m_theme(application)
    , m_monitor(monitorOptions())
    , m_window({ m_monitor, m_theme, m_connections, *m_settings, preparedAuditFile(auditPath()), labTools() })
{
    restoreTheme();
    // Whoever sends a signal, a service manager or a shell, answers no question; another window may be open, too.
    connect(&m_signals, &SignalWatch::interrupted, this, [this] {
        if (m_window.endUnasked())
            QCoreApplication::exit(Done);
    });
}

Composition::~Composition() = default;

void Composition::restoreTheme()
{
    const int remembered = m_settings->value(ThemeKey, lockui::Theme::System).toInt();
    const bool known = remembered >= lockui::Theme::System && remembered <= lockui::Theme::Dark;
    m_theme.setMode(
        m_commandLine.theme.value_or(known ? static_cast<lockui::Theme::Mode>(remembered) : lockui::Theme::System));
    connect(&m_theme, &lockui::Theme::changed, this, [this] { m_settings->setValue(ThemeKey, m_theme.mode()); });
}

void Composition::start()
{
    m_window.showPage(QString::fromStdString(m_commandLine.page));
    if (m_commandLine.size || m_commandLine.picture) {
        constexpr QSize PictureSize(1440, 900); // whatever the screen is
        m_window.setWindowState(Qt::WindowNoState);
        m_window.resize(m_commandLine.size.value_or(PictureSize));
    }
    if (m_commandLine.select)
        m_window.selectOnceConnected(*m_commandLine.select);
    if (m_commandLine.picture)
        takePicture();
    m_window.show();
    const bool plays = m_commandLine.scenario.has_value();
    if (plays)
        playScenario();
    if (!m_commandLine.recording.empty())
        m_window.openRecording(QFile::decodeName(m_commandLine.recording.c_str()));
    else if (m_commandLine.demo)
        openDemo();
    else if (m_commandLine.deployment)
        openServer();
    else if (m_pictureTaker && !plays)
        m_pictureTaker->startAtOnce();
    else if (!plays && m_commandLine.page != "lab") // which needs none
        m_window.askForConnection();
    if (!m_pictureTaker && !plays && m_commandLine.recording.empty())
        m_window.offerUnsaved();
}

void Composition::openServer()
{
    lockui::ConnectionProfile profile;
    profile.deployment = *m_commandLine.deployment;
    for (const lockui::ConnectionProfile &known : m_connections.recent()) {
        if (lockui::connectionUrl(known.deployment) == lockui::connectionUrl(*m_commandLine.deployment)) {
            profile = known;
            profile.deployment = asSaid(known.deployment, *m_commandLine.deployment);
        }
    }
    profile.tokenNames = m_commandLine.tokenNames.value_or(profile.tokenNames);
    m_window.openConnection(profile);
}

void Composition::openDemo()
{
    m_demo = std::make_unique<Demo>();
    m_demo->employOperator();
    connect(m_demo.get(), &Demo::failed, this, &Composition::fail);
    connect(m_demo.get(), &Demo::ready, this, [this] {
        lockui::ConnectionProfile profile;
        profile.name = QStringLiteral("demo");
        profile.deployment = lockui::withClientName(m_demo->endpoint());
        profile.environment = QStringLiteral("TEST");
        profile.auditFile = m_demo->auditFile();
        profile.tokenNames = m_commandLine.tokenNames.value_or(shopTokenNames());
        m_connections.neverRemember(profile.deployment);
        m_window.openConnection(profile);
    });
    m_demo->start();
}

void Composition::playScenario()
{
    const LabSession &session = m_window.playScenario(m_commandLine.scenario->scenario, m_commandLine.scenarioFile);
    if (!m_pictureTaker)
        return;
    const auto startOnceBegun = [this, &session] {
        if (session.state() != LabSession::State::Preparing)
            m_pictureTaker->startAtOnce();
    };
    connect(&session, &LabSession::changed, m_pictureTaker.get(), startOnceBegun);
    startOnceBegun();
}

void Composition::takePicture()
{
    m_pictureTaker = std::make_unique<PictureTaker>(*m_commandLine.picture, m_window, m_monitor);
    connect(m_pictureTaker.get(), &PictureTaker::taken, this, [] { QCoreApplication::exit(Done); });
    connect(m_pictureTaker.get(), &PictureTaker::failed, this, &Composition::fail);
}

void Composition::fail(const lockcore::Error &error)
{
    complain("lockscope", error);
    QCoreApplication::exit(exitStatus(error));
}

} // namespace app
