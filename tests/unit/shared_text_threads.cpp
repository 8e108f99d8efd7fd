// SPDX-License-Identifier: GPL-3.0-or-later
// One thread makes texts the same and forgets them, another has copies, without Qt, so that the thread sanitizer can
// judge it. Exit status 0: all was well.
#include "lockcore/base/text_pool.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/threads/snapshot_mailbox.h"

#include <cstdio>
#include <deque>
#include <thread>

namespace {

using namespace lockcore;

constexpr std::uint64_t Last = 20'000;
constexpr std::uint64_t Clients = 5'000; // far more than the pool keeps when nobody has them
constexpr std::size_t Kept = 100;

std::string clientOf(std::uint64_t revision) { return "client " + std::to_string(revision % Clients); }

std::shared_ptr<const Snapshot> snapshotOf(std::uint64_t revision, TextPool &clients)
{
    auto lock = std::make_shared<LockState>();
    lock->holders.push_back({});
    lock->holders.front().owner.client = clients.shared(clientOf(revision));
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->revision = revision;
    snapshot->locks = { lock };
    return snapshot;
}

} // namespace

int main()
{
    SnapshotMailbox mailbox;
    TextPool clients;
    mailbox.put(snapshotOf(0, clients));
    std::thread writer([&] {
        for (std::uint64_t revision = 1; revision <= Last; ++revision)
            mailbox.put(snapshotOf(revision, clients));
    });

    std::deque<SharedText> copies;
    bool right = true;
    for (std::uint64_t seen = 0; seen < Last;) {
        const auto snapshot = mailbox.latest();
        seen = snapshot->revision;
        copies.push_back(snapshot->locks.front()->holders.front().owner.client);
        right = right && copies.back() == clientOf(seen);
        if (copies.size() > Kept)
            copies.pop_front();
    }
    writer.join();
    if (!right)
        std::puts("A text is not what it was");
    if (clients.size() >= Clients)
        std::puts("Texts that nobody has any more are kept");
    return right && clients.size() < Clients ? 0 : 1;
}
