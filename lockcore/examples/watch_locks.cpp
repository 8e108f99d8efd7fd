// SPDX-License-Identifier: Apache-2.0
// Prints the locks of a server, and then what happens to them, until the server is gone.
// Usage: watch_locks redis://127.0.0.1:6379
#include <lockcore/service/monitor.h>

#include <QCoreApplication>
#include <cstdio>
#include <cstdlib>
#include <utility>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

namespace {

const char *wordFor(EventKind kind)
{
    switch (kind) {
    case EventKind::Acquired:
        return "acquired";
    case EventKind::Renewed:
        return "renewed";
    case EventKind::Released:
        return "released";
    case EventKind::Expired:
        return "expired";
    default:
        return "changed"; // see lockcore/monitor/events.h for all others
    }
}

void print(const EventList &events)
{
    for (const Event &event : *events)
        std::printf("%s %s%s\n", event.lock.c_str(), wordFor(event.kind),
            event.certainty == Certainty::Inferred ? " (inferred)" : "");
}

void printAll(const Snapshot &snapshot)
{
    for (const auto &lock : snapshot.locks) {
        const auto left = ttlAt(*lock, snapshot.takenAt.mono);
        std::printf("%s: %zu holders, %lld ms left, %zu in its queue\n", lock->name.c_str(), lock->holders.size(),
            left ? static_cast<long long>(left->count()) : -1, lock->waiters.size());
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
        if (const auto &error = now->status.error) {
            std::fprintf(stderr, "watch_locks: %s\n", toString(*error).c_str());
            QCoreApplication::exit(EXIT_FAILURE);
        } else if (now->status.phase == SourcePhase::Live && !std::exchange(isListed, true)) {
            printAll(*now);
        }
    });
    monitor.open(*server);
    return QCoreApplication::exec();
}
