// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/client_process.h"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace app {

namespace {

constexpr int KillTakesMs = 10'000;
constexpr int GivingBackTakesMs = 25'000; // where its servers cannot be reached; it gives up before that

} // namespace

ClientProcess::ClientProcess(QString program, QStringList arguments, QObject *parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_arguments(std::move(arguments))
{
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    // It ends with us, also when it stands still and would not see the end of its input; and Ctrl+C is for us alone.
    m_process.setChildProcessModifier([this] {
        ::setsid();
        // One that stands still hears of the end of its input once it goes on.
        ::prctl(PR_SET_PDEATHSIG, m_givesBack ? SIGCONT : SIGKILL);
        if (m_inherited >= 0)
            ::fcntl(m_inherited, F_SETFD, 0);
    });
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &ClientProcess::read);
    connect(&m_process, &QProcess::finished, this, &ClientProcess::ended);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended();
    });
}

ClientProcess::~ClientProcess()
{
    m_process.disconnect(this);
    if (m_givesBack) {
        close();
        m_process.waitForFinished(GivingBackTakesMs);
    }
    m_process.kill();
    m_process.waitForFinished(KillTakesMs);
}

void ClientProcess::inherit(int descriptor) { m_inherited = descriptor; }

void ClientProcess::start()
{
    m_isEnding = false;
    m_isKilled = false;
    m_id.clear();
    m_process.start(m_program, m_arguments);
}

void ClientProcess::letItGiveBack() { m_givesBack = true; }

void ClientProcess::close()
{
    m_isEnding = true;
    resume();
    m_process.closeWriteChannel();
}

/// Who was killed on purpose had nothing to give back; whomever somebody else has killed gave back nothing.
bool ClientProcess::endsGivenBack()
{
    m_process.disconnect(this);
    close();
    const bool hasEnded = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(GivingBackTakesMs);
    const bool wasKilled = m_process.exitStatus() == QProcess::CrashExit;
    return hasEnded && (wasKilled ? m_isKilled : m_process.exitCode() == 0);
}

void ClientProcess::crash()
{
    m_isEnding = true;
    m_isKilled = true;
    const auto orders = std::exchange(m_orders, {}); // what it had answered yet is read in the wait for its end
    m_process.kill();
    m_process.waitForFinished(KillTakesMs); // a moment: nothing can hold it back
    for (const auto &[number, handler] : orders)
        handler({ .number = number, .outcome = lockui::lab::Outcome::Crashed });
}

void ClientProcess::pause() { signalProcess(SIGSTOP); }

void ClientProcess::resume() { signalProcess(SIGCONT); }

std::uint64_t ClientProcess::order(const lockui::lab::Step &step, AnswerHandler handler)
{
    m_orders[++m_lastNumber] = std::move(handler);
    m_process.write(lineOf(ClientOrder{ .number = m_lastNumber, .step = step }));
    return m_lastNumber;
}

void ClientProcess::giveUp(std::uint64_t order)
{
    m_process.write(lineOf(ClientOrder{ .number = ++m_lastNumber, .givesUp = order }));
}

void ClientProcess::read()
{
    while (m_process.canReadLine()) {
        const auto message = readMessage(m_process.readLine());
        if (!message)
            continue; // a library of the system has said something
        if (const auto *news = std::get_if<ClientNews>(&*message)) {
            if (news->what == ClientNews::What::Ready) {
                m_id = news->client;
                Q_EMIT ready();
            } else {
                Q_EMIT told(*news);
            }
            continue;
        }
        const auto &answer = std::get<ClientAnswer>(*message);
        if (auto order = m_orders.extract(answer.number))
            order.mapped()(answer);
    }
}

void ClientProcess::ended()
{
    if (std::exchange(m_isEnding, true))
        return;
    const QByteArray said = m_process.readAllStandardError().trimmed();
    Q_EMIT failed(
        { lockcore::ErrorCode::FileFailed, said.isEmpty() ? m_process.errorString().toStdString() : said.toStdString(),
            "running " + m_program.toStdString() });
}

void ClientProcess::signalProcess(int number) const
{
    if (m_process.processId() > 0)
        ::kill(static_cast<pid_t>(m_process.processId()), number);
}

} // namespace app
