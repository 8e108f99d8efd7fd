// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/signal_watch.h"

#include <QSocketNotifier>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace app {
namespace {

constexpr int Watched[] = { SIGINT, SIGTERM, SIGHUP };
volatile sig_atomic_t writeEnd = -1;
volatile sig_atomic_t lastNumber = 0;

void onSignal(int number)
{
    lastNumber = number;
    const char byte = 0;
    // Nothing can be done in a signal handler about a full pipe, and nothing is lost: one byte is in it already.
    [[maybe_unused]] const auto written = ::write(writeEnd, &byte, 1);
}

void install(void (*handler)(int), int flags)
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    for (const int number : Watched)
        ::sigaction(number, &action, nullptr);
}

} // namespace

SignalWatch::SignalWatch(QObject *parent)
    : QObject(parent)
{
    if (::pipe2(m_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("no pipe for signals");
    writeEnd = m_pipe[1];
    auto *notifier = new QSocketNotifier(m_pipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        Q_EMIT interrupted();
    });
    install(onSignal, static_cast<int>(SA_RESETHAND) | SA_RESTART);
}

const char *SignalWatch::nameOfLast()
{
    switch (lastNumber) {
    case SIGINT:
        return "SIGINT";
    case SIGTERM:
        return "SIGTERM";
    case SIGHUP:
        return "SIGHUP";
    default:
        return "no signal";
    }
}

SignalWatch::~SignalWatch()
{
    install(SIG_DFL, 0);
    ::close(m_pipe[0]);
    ::close(m_pipe[1]);
}

} // namespace app
