// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/arguments.h"
#include "app/common/exit_status.h"
#include "app/lockscope/command_line.h"
#include "app/lockscope/composition.h"
#include "lockcore/recording/player.h"

#include <QApplication>
#include <QFile>
#include <cstdio>

namespace {

/// Before there is a window: whoever started this from a script hears of it.
lockcore::Result<void> checkRecording(const std::string &file)
{
    if (file.empty())
        return {};
    return lockcore::recording::Player::open(QFile::decodeName(file.c_str())).map([](const auto &) {});
}

} // namespace

int main(int argc, char **argv)
{
    app::useUtf8Locale();
    const auto commandLine = [&] {
        const QCoreApplication withoutDisplay(argc, argv); // the words of help and errors are translated by then
        return app::parseCommandLine(argc, argv);
    }();
    if (!commandLine) {
        app::complain("lockscope", commandLine.error());
        return app::exitStatus(commandLine.error());
    }
    if (commandLine->print) {
        std::fputs(commandLine->print->c_str(), stdout);
        return app::Done;
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("lockscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Lockscope"));
    if (const auto readable = checkRecording(commandLine->recording); !readable) {
        app::complain("lockscope", readable.error());
        return app::exitStatus(readable.error());
    }
    app::Composition composition(application, *commandLine);
    composition.start();
    return QApplication::exec();
}
