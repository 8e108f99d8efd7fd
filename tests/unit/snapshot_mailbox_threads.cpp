// SPDX-License-Identifier: GPL-3.0-or-later
// Two threads on one mailbox, without Qt, so that the thread sanitizer can judge it. Exit status 0: all was well.
#include "lockcore/service/threads/snapshot_mailbox.h"

#include <condition_variable>
#include <cstdio>
#include <thread>

namespace {

constexpr std::uint64_t Last = 20'000;

class Bell {
public:
    void ring()
    {
        const std::lock_guard guard(m_mutex);
        ++m_rings;
        m_rang.notify_one();
    }
    void wait()
    {
        std::unique_lock guard(m_mutex);
        m_rang.wait(guard, [this] { return m_rings > 0; });
        --m_rings;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_rang;
    int m_rings = 0;
};

std::shared_ptr<const lockcore::monitor::Snapshot> snapshotOf(std::uint64_t revision)
{
    auto snapshot = std::make_shared<lockcore::monitor::Snapshot>();
    snapshot->revision = revision;
    return snapshot;
}

} // namespace

int main()
{
    lockcore::service::SnapshotMailbox mailbox;
    Bell bell;
    std::thread writer([&] {
        for (std::uint64_t revision = 1; revision <= Last; ++revision) {
            if (mailbox.put(snapshotOf(revision)))
                bell.ring();
        }
    });

    std::uint64_t seen = 0;
    bool inOrder = true;
    while (seen < Last) { // hangs, and is then killed by ctest, when the newest is never announced
        bell.wait();
        mailbox.markTaken();
        const std::uint64_t revision = mailbox.latest()->revision;
        inOrder = inOrder && revision >= seen;
        seen = revision;
    }
    writer.join();
    if (!inOrder)
        std::puts("An older snapshot came after a newer one");
    return inOrder ? 0 : 1;
}
