// SPDX-License-Identifier: Apache-2.0
// Prints the locks of a server, and then what happens to them, until the server is gone.
// Usage: watch_locks redis://127.0.0.1:6379
#include <lockcore/service/monitor.h>

#include <QCoreApplication>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

namespace {

const char *wordFor(EventKind kind)
{
    switch (kind) {
    case EventKind::Appeared:
        return "is held";
    case EventKind::Acquired:
        return "was acquired";
    case EventKind::Renewed:
        return "was renewed";
    case EventKind::Released:
        return "was released";
    case EventKind::Expired:
        return "ran out";
    case EventKind::ForceReleased:
        return "was freed by somebody else";
    case EventKind::Deleted:
        return "was deleted";
    default:
        return nullptr; // see lockcore/monitor/events.h for all others
    }
}

/// Names are any bytes: what could steer a terminal, or look like another line, is not printed as it is.
std::string printable(const std::string &name)
{
    std::string text;
    for (const char c : name)
        text += c >= ' ' && c <= '~' ? c : '?';
    return text;
}

void print(const EventList &events)
{
    for (const Event &event : *events) {
        if (event.kind == EventKind::Gap)
            std::printf(
                "(nothing could be seen for %lld ms)\n", static_cast<long long>(event.ttl.value_or(Millis(0)).count()));
        else if (const char *word = wordFor(event.kind))
            std::printf("%s %s%s\n", printable(event.lock).c_str(), word,
                event.certainty == Certainty::Inferred ? " (probably)" : "");
    }
}

void printAll(const Snapshot &snapshot)
{
    for (const auto &lock : snapshot.locks) {
        const auto left = ttlAt(*lock, snapshot.takenAt.mono);
        std::printf("%s: %zu holders, %lld ms left, %zu in its queue\n", printable(lock->name).c_str(),
            lock->holders.size(), left ? static_cast<long long>(left->count()) : -1, lock->waiters.size());
    }
    std::printf("%zu locks\n", snapshot.locks.size());
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const auto server = transport::parseDeployment(argc == 2 ? argv[1] : "");
    if (!server) {
        std::fprintf(stderr, "usage: watch_locks URL\n%s\n", toString(server.error()).c_str());
        return EXIT_FAILURE;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, 0);

    Monitor monitor({});
    bool isListed = false;
    QObject::connect(&monitor, &Monitor::eventsReported, &application, print);
    QObject::connect(&monitor, &Monitor::snapshotReady, &application, [&] {
        const std::shared_ptr<const Snapshot> now = monitor.latest();
        const SourceStatus &status = now->status;
        const bool isGone = status.phase == SourcePhase::Failed || status.phase == SourcePhase::Stale;
        const bool maySweep
            = std::ranges::find(status.missingRights, Right::Scan, &MissingRight::right) == status.missingRights.end();
        if (isGone || !maySweep) {
            const std::string why = status.error ? toString(*status.error) : "the user may not run SCAN";
            std::fprintf(stderr, "watch_locks: %s\n", why.c_str());
            QCoreApplication::exit(EXIT_FAILURE);
        } else if (status.lastSweep && !std::exchange(isListed, true)) {
            printAll(*now); // before the first sweep is complete nobody knows how many there are
        }
    });
    monitor.open(*server);
    return QCoreApplication::exec();
}
