// SPDX-License-Identifier: Apache-2.0
// One lock on several independent servers: held when a majority of them gave it.
// Usage: red_lock NAME URL URL URL …
#include <lockcore/client/multi_lock.h>

#include <QCoreApplication>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

using namespace lockcore;
using namespace lockcore::client;

namespace {

const std::string Thread = "1";

void end(const Error &error)
{
    std::fprintf(stderr, "red_lock: %s\n", toString(error).c_str());
    QCoreApplication::exit(EXIT_FAILURE);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    std::vector<std::unique_ptr<LockClient>> clients;
    std::vector<MultiLockMember> members;
    for (int i = 2; i < argc; ++i) {
        const auto server = transport::parseDeployment(argv[i]);
        if (!server) {
            std::fprintf(stderr, "usage: red_lock NAME URL…\n%s\n", toString(server.error()).c_str());
            return EXIT_FAILURE;
        }
        clients.push_back(std::make_unique<LockClient>(*server));
        clients.back()->open();
        members.push_back({ clients.back().get(), { argv[1] } });
    }

    MultiLock lock(members, redLock(members.size()));
    // Each server gets its share of the time to wait, so a slow one of three has two seconds to answer.
    lock.acquire(Thread, Millis(30'000), Millis(6'000), [&](const Result<MultiLockOutcome> &outcome) {
        if (!outcome)
            return end(outcome.error());
        if (!outcome->acquired)
            return end({ ErrorCode::Cancelled, "no majority within six seconds", "waiting for the lock" });
        std::printf("held on %zu of %zu servers\n", outcome->held.size(), members.size());
        const Millis sure = outcome->validity.value_or(Millis(0)); // the work must be done by then
        std::printf("exclusive for %lld ms\n", static_cast<long long>(sure.count()));
        lock.release(Thread, [](const Result<void> &released) {
            if (!released)
                return end(released.error());
            std::puts("released");
            QCoreApplication::quit();
        });
    });
    return QCoreApplication::exec();
}
