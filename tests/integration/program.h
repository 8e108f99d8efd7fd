// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <map>

namespace testsupport {

using Environment = std::map<QString, QString>;

/// How a program of ours ended, and what it said.
struct Ending {
    int status = -1; // -1: it crashed, or did not end in time
    QByteArray out;
    QByteArray err;
};

/// A program of ours as a process of its own, with a home of its own.
class Program {
public:
    Program(const QString &path, const QStringList &arguments, const Environment &environment = {});
    ~Program(); // kills it

    qint64 id() const { return m_process.processId(); }
    void signal(int number);
    Ending end(int limitMs = 30'000); // waits for it

    /// The next line of stdout that contains this; empty: it did not come in time.
    QByteArray lineWith(const QByteArray &part, int limitMs = 30'000);
    bool complains(const QByteArray &part, int limitMs = 30'000); // on stderr
    QJsonObject jsonWith(const QByteArray &part, int limitMs = 30'000);

private:
    QProcess m_process;
    QByteArray m_err;
};

Ending run(const QString &path, const QStringList &arguments, const Environment &environment = {});

} // namespace testsupport
