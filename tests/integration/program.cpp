// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"

#include <QDeadlineTimer>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <csignal>

namespace testsupport {

namespace {

/// Neither the settings nor the audit log of whoever runs the tests is touched.
QString home()
{
    static const QTemporaryDir folder;
    return folder.path();
}

} // namespace

Program::Program(const QString &path, const QStringList &arguments, const Environment &environment)
{
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.remove(QStringLiteral("LOCKSCOPE_PASSWORD"));
    variables.insert(QStringLiteral("HOME"), home());
    variables.insert(QStringLiteral("XDG_RUNTIME_DIR"), home());
    variables.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    for (const char *name : { "XDG_STATE_HOME", "XDG_CONFIG_HOME" })
        variables.insert(QString::fromLatin1(name), home() + u'/' + QString::fromLatin1(name));
    for (const auto &[name, value] : environment)
        variables.insert(name, value);
    m_process.setProcessEnvironment(variables);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.start(path, arguments);
    m_process.waitForStarted();
}

Program::~Program()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

void Program::signal(int number) { ::kill(static_cast<pid_t>(id()), number); }

Ending Program::end(int limitMs)
{
    const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(limitMs);
    const bool regular = ended && m_process.exitStatus() == QProcess::NormalExit;
    return { regular ? m_process.exitCode() : -1, m_process.readAllStandardOutput(),
        m_err + m_process.readAllStandardError() };
}

QByteArray Program::lineWith(const QByteArray &part, int limitMs)
{
    const QDeadlineTimer deadline(limitMs);
    do {
        while (m_process.canReadLine()) {
            QByteArray line = m_process.readLine();
            if (line.contains(part))
                return line;
        }
        m_process.waitForReadyRead(static_cast<int>(deadline.remainingTime()));
    } while (!deadline.hasExpired());
    return {};
}

bool Program::complains(const QByteArray &part, int limitMs)
{
    const QDeadlineTimer deadline(limitMs);
    m_process.setReadChannel(QProcess::StandardError);
    do
        m_err += m_process.readAllStandardError();
    while (!m_err.contains(part) && m_process.waitForReadyRead(static_cast<int>(deadline.remainingTime())));
    m_process.setReadChannel(QProcess::StandardOutput);
    return m_err.contains(part);
}

QJsonObject Program::jsonWith(const QByteArray &part, int limitMs)
{
    return QJsonDocument::fromJson(lineWith(part, limitMs)).object();
}

Ending run(const QString &path, const QStringList &arguments, const Environment &environment)
{
    return Program(path, arguments, environment).end();
}

} // namespace testsupport
