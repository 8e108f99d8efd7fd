// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/output.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"

#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace lockctl {

using app::Words;

namespace {

int writeError = 0; // the first

bool noteError(bool written)
{
    if (!written && writeError == 0)
        writeError = errno;
    return written;
}

} // namespace

bool addLine(std::string_view line)
{
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    return noteError(std::ferror(stdout) == 0);
}

bool flushLines() { return noteError(std::fflush(stdout) == 0); }

bool printLine(std::string_view line) { return addLine(line) && flushLines(); }

void note(const QString &sentence) { std::fprintf(stderr, "lockctl: %s\n", sentence.toUtf8().constData()); }

int finishOutput(int status)
{
    flushLines();
    if (writeError == 0 || writeError == EPIPE)
        return status;
    note(Words::tr("writing to stdout: %1").arg(QString::fromLocal8Bit(std::strerror(writeError))));
    return status == app::Done ? app::ServerError : status;
}

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
