// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/output.h"

#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace lockctl {

bool addLine(std::string_view line)
{
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    return std::ferror(stdout) == 0;
}

bool flushLines() { return std::fflush(stdout) == 0; }

bool printLine(std::string_view line) { return addLine(line) && flushLines(); }

void prepareOutput()
{
    static std::array<char, std::size_t{ 64 } * 1'024> piece; // the library's own is of a page
    std::setvbuf(stdout, piece.data(), _IOFBF, piece.size());
    std::signal(SIGPIPE, SIG_IGN);
}

ReaderWatch::ReaderWatch(QObject *parent)
    : QObject(parent)
{
    struct stat status = {};
    if (::fstat(STDOUT_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode))
        return;
    // There is never anything to read at this end, but the error that is left when the other end was closed.
    auto *notifier = new QSocketNotifier(STDOUT_FILENO, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
        notifier->setEnabled(false);
        Q_EMIT gone();
    });
}

} // namespace lockctl
