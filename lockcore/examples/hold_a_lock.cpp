// SPDX-License-Identifier: Apache-2.0
// Waits for a lock for up to ten seconds, holds it for some milliseconds, gives it back.
// Usage: hold_a_lock redis://127.0.0.1:6379 NAME MILLISECONDS
#include <lockcore/client/lock_client.h>

#include <QCoreApplication>
#include <QTimer>
#include <cstdio>
#include <cstdlib>

using namespace lockcore;
using namespace lockcore::client;

namespace {

const std::string Thread = "1"; // one thread of work: what holds the lock is this client and this number

void end(const Error &error)
{
    std::fprintf(stderr, "hold_a_lock: %s\n", toString(error).c_str());
    QCoreApplication::exit(EXIT_FAILURE);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const auto server = transport::parseDeployment(argc == 4 ? argv[1] : "");
    if (!server) {
        std::fprintf(stderr, "usage: hold_a_lock URL NAME MILLISECONDS\n%s\n", toString(server.error()).c_str());
        return EXIT_FAILURE;
    }
    const LockTarget lock{ argv[2] };
    const Millis work(std::atoi(argv[3]));

    LockClient client(*server);
    const auto stop = [](const LockTarget &target) {
        end({ ErrorCode::LockLost, "somebody else may have it now: stop working", "holding " + target.name });
    };
    QObject::connect(&client, &LockClient::lockLost, &application, stop);
    QObject::connect(&client, &LockClient::lockUnconfirmed, &application, stop);
    const auto release = [&client, lock] {
        client.release(lock, Thread, [](const Result<ReleaseOutcome> &outcome) {
            if (!outcome)
                return end(outcome.error());
            std::puts("released");
            QCoreApplication::quit();
        });
    };
    const AcquireRequest request{ lock, Thread, std::nullopt, Millis(10'000) };
    client.open();
    client.acquire(request, [&](const Result<AcquireOutcome> &outcome) {
        if (!outcome)
            return end(outcome.error());
        if (!outcome->acquired)
            return end({ ErrorCode::Cancelled, "another holds it", "waiting for " + lock.name });
        std::puts("held");
        QTimer::singleShot(work, &client, release);
    });
    return QCoreApplication::exec();
}
