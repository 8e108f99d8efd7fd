// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/peer.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <unistd.h>

namespace {

/// Lines as they come; the end of the input is the end of the process.
void readLines(std::string &buffer, interop::Peer &peer)
{
    char block[65'536];
    const auto got = ::read(STDIN_FILENO, block, sizeof block);
    if (got <= 0)
        std::_Exit(0);
    buffer.append(block, std::size_t(got));
    for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
        peer.take(std::string_view(buffer).substr(0, end));
        buffer.erase(0, end + 1);
    }
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    interop::Peer peer;
    std::string buffer;
    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &peer, [&] { readLines(buffer, peer); });
    return QCoreApplication::exec();
}
