// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/schedule.h"

#include "lockcore/transport/clock.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace faults {

using lockcore::transport::monoNow;

namespace {

constexpr Millis Tick{ 50 };
constexpr int TicksToStandstill = 240; // what is left by the dead runs out before
constexpr int TicksToEnd = 240;
constexpr int TicksOfCalm = 4; // that it stays as it is

void sleepFor(Millis time)
{
    QEventLoop loop;
    QTimer::singleShot(time, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace

Schedule::Schedule(Plan plan)
    : m_plan(std::move(plan))
    , m_servers(m_plan)
    , m_judge(m_plan, m_servers, m_ledger)
    , m_clients(m_plan.clients.size())
{
}

Schedule::~Schedule()
{
    for (Client &client : m_clients) {
        if (client.process) {
            client.process->disconnect(this);
            client.process->kill();
            client.process->waitForFinished();
        }
    }
}

bool Schedule::startServers() { return m_servers.start(); }

std::vector<std::string> Schedule::run()
{
    m_ledger.note(describe(m_plan));
    for (int number = 0; number < int(m_clients.size()); ++number)
        startClient(number);
    const MonoTime start = monoNow();
    for (const Fault &fault : m_plan.faults)
        QTimer::singleShot(fault.at, Qt::PreciseTimer, this, [this, fault] { apply(fault); });
    while (monoNow() < start + m_plan.faultTime)
        sleepFor(Tick);
    heal();
    judgeClosed();
    tellAll("freeze");
    if (!waitFor("standstill", TicksToStandstill, [this] { return m_judge.lookAtStandstill(); }))
        return m_ledger.violations();
    tellAll("finish");
    waitFor("the end", TicksToEnd, [this] { return m_judge.lookAtEnd(); });
    return m_ledger.violations();
}

void Schedule::startClient(int number)
{
    if (m_plan.clients[std::size_t(number)].isProcess)
        return startProcess(number);
    Client &client = m_clients[std::size_t(number)];
    client.crowd = std::make_unique<Crowd>(
        m_plan, number, m_servers.deployment(), [this](const std::string &line) { m_ledger.take(line); });
    client.crowd->start();
}

void Schedule::startProcess(int number)
{
    Client &client = m_clients[std::size_t(number)];
    client.process = std::make_unique<QProcess>();
    client.process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    client.process->setChildProcessModifier([parent = ::getpid()] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent)
            ::_exit(1);
    });
    if (const int ahead = m_plan.clients[std::size_t(number)].secondsAhead; ahead != 0) {
        const QString path = m_folder.filePath(u"clock%1"_s.arg(number));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly))
            file.write(QByteArray::number(ahead));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"LD_PRELOAD"_s, QStringLiteral(STEPPED_CLOCK_LIBRARY));
        environment.insert(u"STEPPED_CLOCK"_s, path);
        // A sanitizer that is built in is loaded behind it.
        environment.insert(u"ASAN_OPTIONS"_s, u"verify_asan_link_order=0:"_s + qEnvironmentVariable("ASAN_OPTIONS"));
        client.process->setProcessEnvironment(environment);
    }
    connect(client.process.get(), &QProcess::readyReadStandardOutput, this, [this, number] { readProcess(number); });
    connect(client.process.get(), &QProcess::finished, this, [this, number](int code, QProcess::ExitStatus status) {
        readProcess(number);
        if (!m_clients[std::size_t(number)].isEnding)
            m_ledger.wrong("the process of client " + std::to_string(number) + " has ended by itself, "
                + (status == QProcess::CrashExit ? "crashed" : "status ") + std::to_string(code));
        const bool inOrder = status == QProcess::NormalExit;
        inOrder ? m_ledger.closed(number, monoNow()) : m_ledger.died(number, monoNow());
    });
    client.process->start(QCoreApplication::applicationFilePath(),
        { u"--peer"_s, QString::number(m_plan.seed), u"--client"_s, QString::number(number), u"--url"_s,
            m_servers.url(), u"--only"_s, QCoreApplication::instance()->property("only").toString() });
}

void Schedule::readProcess(int number)
{
    Client &client = m_clients[std::size_t(number)];
    client.partOfLine += client.process->readAllStandardOutput();
    qsizetype end = 0;
    while ((end = client.partOfLine.indexOf('\n')) >= 0) {
        m_ledger.take(client.partOfLine.left(end).toStdString());
        client.partOfLine.remove(0, end + 1);
    }
}

void Schedule::tellAll(const char *word)
{
    m_ledger.note(word);
    for (Client &client : m_clients) {
        const bool freezes = std::string_view(word) == "freeze";
        if (client.crowd)
            freezes ? client.crowd->freeze() : client.crowd->finish();
        if (client.process)
            client.process->write((std::string(word) + '\n').c_str());
    }
}

void Schedule::apply(const Fault &fault)
{
    m_ledger.note(std::string("fault ") + toString(fault.kind) + ' ' + std::to_string(fault.target) + " for "
        + std::to_string(fault.lasts.count()) + " ms");
    const auto choose = [&](auto isFit) {
        std::vector<int> fit;
        for (int number = 0; number < int(m_clients.size()); ++number) {
            if (isFit(m_plan.clients[std::size_t(number)]) && !m_clients[std::size_t(number)].isEnding)
                fit.push_back(number);
        }
        return fit.empty() ? -1 : fit[std::size_t(fault.target) % fit.size()];
    };
    switch (fault.kind) {
    case FaultKind::Kill:
        return end(choose([](const PlannedClient &each) { return each.isProcess && each.isMortal; }), fault.kind);
    case FaultKind::Close:
        return end(choose([](const PlannedClient &each) { return each.isMortal; }), fault.kind);
    case FaultKind::Destroy:
        return end(choose([](const PlannedClient &each) { return !each.isProcess && each.isMortal; }), fault.kind);
    case FaultKind::StopClient:
        if (const int number = choose([](const PlannedClient &each) { return each.isProcess; }); number >= 0)
            stopClient(m_clients[std::size_t(number)], fault.lasts);
        return;
    default:
        m_servers.apply(fault);
        if (m_servers.lostDataNow())
            m_ledger.dataLost();
    }
}

void Schedule::end(int number, FaultKind how)
{
    if (number < 0)
        return;
    Client &client = m_clients[std::size_t(number)];
    client.isEnding = true;
    if (how == FaultKind::Kill) {
        ::kill(pid_t(client.process->processId()), SIGKILL); // its last words are read when it is gone
    } else if (how == FaultKind::Destroy) {
        client.crowd.reset();
        m_ledger.died(number, monoNow());
    } else if (client.process) {
        client.process->write("close\n");
    } else {
        client.crowd->close([this, number] {
            QTimer::singleShot(0, this, [this, number] {
                m_clients[std::size_t(number)].crowd.reset();
                m_ledger.closed(number, monoNow());
            });
        });
    }
}

void Schedule::judgeClosed()
{
    for (const std::string &complaint : m_judge.lookForClosed())
        m_ledger.wrong(complaint);
}

void Schedule::stopClient(Client &client, Millis time)
{
    const auto process = pid_t(client.process->processId());
    if (process == 0 || std::exchange(client.isStopped, true))
        return;
    ::kill(process, SIGSTOP);
    QTimer::singleShot(time, this, [&client, process] {
        if (std::exchange(client.isStopped, false) && client.process->state() == QProcess::Running)
            ::kill(process, SIGCONT);
    });
}

void Schedule::heal()
{
    m_servers.heal();
    for (Client &client : m_clients) {
        if (std::exchange(client.isStopped, false) && client.process->state() == QProcess::Running)
            ::kill(pid_t(client.process->processId()), SIGCONT);
    }
    m_ledger.note("healed");
}

/// Until a look finds nothing to complain of several times in a row.
template <typename Look>
bool Schedule::waitFor(const char *what, int limitTicks, Look look)
{
    std::vector<std::string> complaints;
    int calm = 0;
    for (int tick = 0; tick < limitTicks; ++tick) {
        sleepFor(Tick);
        if (!m_servers.isWhole())
            continue;
        complaints = look();
        calm = complaints.empty() ? calm + 1 : 0;
        if (calm == TicksOfCalm)
            return true;
        if (!m_ledger.violations().empty())
            return false;
    }
    for (const std::string &complaint : complaints)
        m_ledger.wrong(std::string(what) + ": " + complaint);
    return false;
}

} // namespace faults
