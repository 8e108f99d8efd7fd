// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"

#include <QCommandLineParser>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>

namespace app {

/// argv with one character a byte (Latin-1), so that the name of a lock survives whatever the locale; see
/// argumentBytes.
QStringList byteArguments(int argc, char **argv);

/// The bytes of an argument that came through byteArguments.
std::string argumentBytes(const QString &argument);

QCommandLineOption flagOption(const char *name);
QCommandLineOption valueOption(const char *name);

/// local/invalid-argument, with the way to help.
tl::unexpected<lockcore::Error> usageError(std::string message);

/// The arguments of a program by option, `--help` and `--version` among them.
/// Errors: local/invalid-argument with one sentence for the person at the shell.
class Arguments {
public:
    explicit Arguments(const QList<QCommandLineOption> &options);

    [[nodiscard]] lockcore::Result<void> parse(const QStringList &byteArguments);
    /// Reads options only up to the first word that is none, and returns that; empty: there is none.
    [[nodiscard]] lockcore::Result<std::string> firstWord(const QStringList &byteArguments);

    bool has(const char *name) const;
    std::string value(const char *name) const;
    QStringList values(const char *name) const;
    QStringList words() const;
    /// Milliseconds, or a number with ms, s, m or h, as a timer can wait for them; absent: not given.
    [[nodiscard]] lockcore::Result<std::optional<lockcore::Millis>> millis(const char *name, qint64 least) const;

private:
    std::unique_ptr<QCommandLineParser> m_parser; // cannot be moved itself
};

/// As Arguments::millis reads it; absent: it is no such time.
std::optional<lockcore::Millis> millisFrom(const std::string &text);

/// Qt insists on a UTF-8 locale and says so in three lines on stderr; this sees to it first.
/// To be called before there is an application or a thread.
void useUtf8Locale();

} // namespace app
