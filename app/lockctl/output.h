// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <string_view>

namespace lockctl {

/// One line on stdout, at once. False: nobody reads it any more.
bool printLine(std::string_view line);

/// A pipe whose reader has gone is no reason to be killed, and printLine() tells of it. To be called first of all.
void outliveReaders();

/// Tells when nobody reads stdout any more, where it is a pipe; also of a program that has nothing to write.
class ReaderWatch : public QObject {
    Q_OBJECT
public:
    explicit ReaderWatch(QObject *parent = nullptr);

Q_SIGNALS:
    void gone();
};

} // namespace lockctl
