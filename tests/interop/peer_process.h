// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QHash>
#include <QProcess>
#include <QTest>

/// First line of a test: without these peers it is skipped; with REQUIRE_REDIS=1 (CI) it fails.
#define NEED_PEER(language)                                                                                            \
    do {                                                                                                               \
        const QString missing = interop::whyMissing(language);                                                         \
        if (missing.isEmpty())                                                                                         \
            break;                                                                                                     \
        if (qEnvironmentVariableIntValue("REQUIRE_REDIS") == 1)                                                        \
            QFAIL(qPrintable(missing));                                                                                \
        QSKIP(qPrintable(missing));                                                                                    \
    } while (false)

namespace interop {

enum class Language { Cpp, Redisson4, Redisson3, Node, Python };

const char *name(Language language);

/// Makes the peers of that language ready if they are not: empty, or why they cannot be had.
QString whyMissing(Language language);

/// Of a Redisson that is ready: its jars, and those that it needs.
QStringList jarsOf(Language language);

/// A process that locks as it is told, line by line; see java/…/Peer.java and cpp/peer.h.
/// Thread: that of the object; blocks while it waits for an answer. Killed with the object.
class PeerProcess {
public:
    explicit PeerProcess(Language language);
    ~PeerProcess();

    bool connectTo(const QString &url, int watchdogMs = 30'000, const char *topology = "single",
        const char *codec = "string"); // topologies and codecs: cpp/peer.cpp; `mapped` is of Redisson alone
    const QByteArray &id() const { return m_id; } // independent servers: one for each, with commas
    /// The owner that this thread of it is in Redis.
    QByteArray owner(int thread);

    QByteArray start(const QByteArray &command); // its tag
    QByteArray answer(const QByteArray &tag, int limitMs = 20'000); // empty: none within the limit
    QByteArray ask(const QByteArray &command) { return answer(start(command)); }
    bool isAnswered(const QByteArray &tag) { return !answer(tag, 0).isNull(); }

    /// What it told without being asked, since the last time.
    QByteArrayList takeEvents();
    bool isRunning() const { return m_process.state() == QProcess::Running; }
    void kill(); // -9

private:
    void read(int limitMs);

    QProcess m_process;
    Language m_language;
    QByteArray m_id;
    QHash<QByteArray, QByteArray> m_answers;
    QByteArrayList m_events;
    QHash<int, QByteArray> m_threads;
    int m_lastTag = 0;
};

/// `error IllegalMonitorStateException` or `error NotHeld`: not the holder's release.
bool isNotHeld(const QByteArray &answer);

} // namespace interop

Q_DECLARE_METATYPE(interop::Language)
