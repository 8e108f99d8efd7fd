// SPDX-License-Identifier: GPL-3.0-or-later
// Playing a scenario on a server of the person's, in the place of private ones.
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/scenario.h"

#include <QObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <functional>
#include <string>
#include <string_view>

namespace app {

struct ForeignServer {
    lockcore::transport::Deployment deployment;
    std::string prefix; // of the names of all locks; whatever has it in its name is deleted at the end
};

/// `lockscope-lab:`, sixteen random digits, and a colon.
std::string newLabPrefix();
bool isLabPrefix(std::string_view text);

/// Whether a scenario does nothing to servers, and this is a single one that its clients can log in to by themselves.
/// Errors: local/not-supported with why not.
[[nodiscard]] lockcore::Result<void> checkForeign(
    const lockui::lab::Scenario &scenario, const lockcore::transport::Deployment &deployment);

/// How a program of ours finds that server: the beginning of its command line, and its environment, which has the
/// password.
QStringList serverArguments(const lockcore::transport::Deployment &deployment);
QProcessEnvironment serverEnvironment(const lockcore::transport::Deployment &deployment);

/// A process that can be left to itself while it runs.
class LeavableProcess : public QProcess {
public:
    using QProcess::QProcess;

    void leave() { setProcessState(QProcess::NotRunning); }
};

/// A process that removes what a play leaves behind: when this object goes, or the program, however that ends.
class CleanUpProcess : public QObject {
    Q_OBJECT
public:
    /// `somethingIsLeft`: called at the end, where not all could be deleted. Empty: nobody waits for long until it is
    /// done, and it goes on by itself.
    CleanUpProcess(const QString &program, const ForeignServer &server, std::function<void()> somethingIsLeft,
        QObject *parent = nullptr);
    ~CleanUpProcess() override; // waits until it is done, so the clients should be gone; what is left it says on stderr

Q_SIGNALS:
    void ready(); // it is connected, and may delete
    void failed(const lockcore::Error &error);

private:
    void read();
    void readComplaint();
    void ended();

    std::function<void()> m_somethingIsLeft;
    LeavableProcess m_process;
    QByteArray m_said; // on stderr
    bool m_isReady = false;
};

} // namespace app
