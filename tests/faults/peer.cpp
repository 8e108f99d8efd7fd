// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/peer.h"

#include "tests/faults/crowd.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <array>
#include <unistd.h>

namespace faults {

namespace {

/// At once: whoever is killed has said all that it knew.
void print(const std::string &line)
{
    const std::string whole = line + '\n';
    std::size_t written = 0;
    while (written < whole.size()) {
        const ssize_t count = ::write(STDOUT_FILENO, whole.data() + written, whole.size() - written);
        if (count <= 0)
            return;
        written += std::size_t(count);
    }
}

} // namespace

int runPeer(const Plan &plan, int client, const lockcore::transport::Deployment &deployment)
{
    Crowd crowd(plan, client, deployment, print);
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    std::string unread;
    QObject::connect(&input, &QSocketNotifier::activated, &crowd, [&] {
        std::array<char, 256> buffer;
        const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count <= 0)
            return QCoreApplication::quit();
        unread.append(buffer.data(), std::size_t(count));
        for (auto end = unread.find('\n'); end != unread.npos; end = unread.find('\n')) {
            const std::string word = unread.substr(0, end);
            unread.erase(0, end + 1);
            if (word == "freeze")
                crowd.freeze();
            else if (word == "finish")
                crowd.finish();
            else if (word == "close")
                crowd.close([] { QCoreApplication::quit(); });
        }
    });
    crowd.start();
    return QCoreApplication::exec();
}

} // namespace faults
