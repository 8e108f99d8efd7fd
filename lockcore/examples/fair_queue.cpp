// SPDX-License-Identifier: Apache-2.0
// Five tasks of one client queue for a fair lock and are served in the order in which they asked.
// Usage: fair_queue redis://127.0.0.1:6379 NAME
#include <lockcore/client/lock_client.h>

#include <QCoreApplication>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <utility>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;

namespace {

constexpr int Tasks = 5;
constexpr Millis Work{ 100 };

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const auto server = transport::parseDeployment(argc == 3 ? argv[1] : "");
    if (!server) {
        std::fprintf(stderr, "usage: fair_queue URL NAME\n%s\n", toString(server.error()).c_str());
        return EXIT_FAILURE;
    }
    const LockTarget lock{ .name = argv[2], .kind = Kind::Fair };
    int left = Tasks;
    int status = EXIT_SUCCESS;

    LockClient client(*server);
    QObject::connect(&client, &LockClient::closed, &application, [&status] { QCoreApplication::exit(status); });
    const auto end = [&](const Error &error) {
        if (std::exchange(status, EXIT_FAILURE) == EXIT_FAILURE)
            return; // the other tasks end with the client
        std::fprintf(stderr, "fair_queue: %s\n", toString(error).c_str());
        client.close(); // and leave the queue, which would be blocked otherwise
    };
    const auto release = [&](const std::string &thread) {
        client.release(lock, thread, [&](const Result<ReleaseOutcome> &outcome) {
            if (!outcome)
                return end(outcome.error());
            if (--left == 0)
                client.close();
        });
    };
    client.open();
    for (int task = 1; task <= Tasks; ++task) {
        const std::string thread = std::to_string(task); // each task is a thread of its own to the lock
        client.acquire(
            { lock, thread, std::nullopt, std::nullopt }, [&, thread](const Result<AcquireOutcome> &outcome) {
                if (!outcome)
                    return end(outcome.error());
                std::printf("task %s has the lock\n", thread.c_str());
                QTimer::singleShot(Work, &client, [&release, thread] { release(thread); });
            });
    }
    return QCoreApplication::exec();
}
