// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <string_view>

namespace lockctl {

/// One line on stdout, at once. False: nobody reads it any more, or it cannot be written.
bool printLine(std::string_view line);
inline bool printLine(const QString &line) { return printLine(std::string_view(line.toStdString())); }

/// One line on stderr, behind the name of the program.
void note(const QString &sentence);

/// The same in large pieces: all lines are there only after flushLines().
bool addLine(std::string_view line);
bool flushLines();

/// To be called first of all. A pipe whose reader has gone is no reason to be killed: printLine() tells of it.
void prepareOutput();

/// To be called last of all: says what could not be written, unless only the reader has gone, and makes the status one
/// of failure then.
int finishOutput(int status);

/// Tells when nobody reads stdout any more, where it is a pipe; also of a program that has nothing to write.
class ReaderWatch : public QObject {
    Q_OBJECT
public:
    explicit ReaderWatch(QObject *parent = nullptr);

Q_SIGNALS:
    void gone();
};

} // namespace lockctl
