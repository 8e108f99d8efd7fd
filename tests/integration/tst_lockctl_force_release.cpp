// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <csignal>

using testsupport::Ending;
using testsupport::Program;
using testsupport::RedisServer;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const QString Name = QStringLiteral("billing:close");
const QString Stranger = QStringLiteral("5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:9");
const QString Other = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:2");

} // namespace

class LockctlForceRelease : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void freesWhatWasSeenAndWakesTheWaiter();
    void leavesAloneWhatChanged();
    void wantsEveryHolder();
    void recordsItInTheUsualPlace();
    void leavesAnOrdinaryHashAlone();
    void freesWhatAnotherProgramWroteInto();
    void saysThatALockIsTooLargeToBeRead();

private:
    QStringList on(const QStringList &command) const
    {
        return QStringList{ QStringLiteral("--url"), m_server.url(), QStringLiteral("--json") } + command;
    }
    Ending release(const QStringList &expected, const QStringList &audit) const
    {
        QStringList arguments{ QStringLiteral("--writable"), QStringLiteral("force-release"), Name };
        for (const QString &holder : expected)
            arguments += { QStringLiteral("--expect"), holder };
        return testsupport::run(Lockctl, on(arguments + QStringList{ QStringLiteral("--reason"), Reason } + audit));
    }
    QStringList auditHere() const
    {
        return { QStringLiteral("--audit-file"), m_folder.filePath(QStringLiteral("audit")) };
    }
    QByteArray audit() const
    {
        QFile file(m_folder.filePath(QStringLiteral("audit")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    const QString Reason = QStringLiteral("stuck since \"3 a.m.\"\nticket 4711");
    RedisServer m_server;
    QTemporaryDir m_folder;
};

void LockctlForceRelease::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
}

void LockctlForceRelease::init()
{
    m_server.cli({ QStringLiteral("FLUSHALL") });
    QFile::remove(m_folder.filePath(QStringLiteral("audit")));
}

void LockctlForceRelease::freesWhatWasSeenAndWakesTheWaiter()
{
    Program holder(Lockctl, on({ QStringLiteral("hold"), Name }));
    const QJsonObject got = holder.jsonWith("\"acquired\"");
    Program waiter(Lockctl, on({ QStringLiteral("hold"), Name }));
    QTRY_VERIFY_WITH_TIMEOUT(
        m_server.cli({ QStringLiteral("PUBSUB"), QStringLiteral("CHANNELS") }).contains("redisson_lock__channel"),
        30'000);

    const QString owner = got[u"client"].toString() + u':' + got[u"thread"].toString();
    const Ending ending = release({ owner }, auditHere());
    QCOMPARE(ending.err, QByteArray());
    QCOMPARE(ending.status, 0);
    const QJsonObject outcome = QJsonDocument::fromJson(ending.out).object();
    QCOMPARE(outcome[u"done"].toBool(), true);
    QCOMPARE(outcome[u"found"].toArray().at(0).toObject()[u"client"].toString(), got[u"client"].toString());
    QVERIFY(!waiter.lineWith("\"acquired\"").isEmpty());

    // Asked and answered, each one line, whatever is in the reason.
    QCOMPARE(audit().count('\n'), 2);
    for (const QByteArray &line : audit().trimmed().split('\n'))
        QVERIFY2(QJsonDocument::fromJson(line).isObject(), line.constData());
    QVERIFY(audit().contains("ticket 4711"));
    holder.signal(SIGINT);
    QCOMPARE(holder.end().status, 1);
}

void LockctlForceRelease::leavesAloneWhatChanged()
{
    Program holder(Lockctl, on({ QStringLiteral("hold"), Name }));
    const QJsonObject got = holder.jsonWith("\"acquired\"");
    const Ending ending = release({ Stranger }, auditHere());
    QCOMPARE(ending.status, 1);
    QVERIFY2(ending.err.contains(got[u"client"].toString().toLatin1()), ending.err.constData());
    QCOMPARE(ending.err.count('\n'), 1);
    QCOMPARE(QJsonDocument::fromJson(ending.out).object()[u"done"].toBool(true), false);
    holder.signal(SIGINT);
    QCOMPARE(holder.end().status, 0);
}

void LockctlForceRelease::wantsEveryHolder()
{
    const QStringList read{ QStringLiteral("hold"), Name, QStringLiteral("--kind"), QStringLiteral("readWrite"),
        QStringLiteral("--mode"), QStringLiteral("read") };
    Program first(Lockctl, on(read));
    Program second(Lockctl, on(read));
    const QJsonObject one = first.jsonWith("\"acquired\"");
    const QJsonObject two = second.jsonWith("\"acquired\"");
    const QString firstOwner = one[u"client"].toString() + u':' + one[u"thread"].toString();
    const QString secondOwner = two[u"client"].toString() + u':' + two[u"thread"].toString();

    QCOMPARE(release({ firstOwner }, auditHere()).status, 1);
    QCOMPARE(release({ firstOwner, secondOwner + u":write" }, auditHere()).status, 1);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("1"));
    QCOMPARE(release({ secondOwner, firstOwner + u":read" }, auditHere()).status, 0);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
}

void LockctlForceRelease::recordsItInTheUsualPlace()
{
    Program holder(Lockctl, on({ QStringLiteral("hold"), Name }));
    QVERIFY(!holder.lineWith("\"acquired\"").isEmpty());
    QCOMPARE(release({ Stranger }, {}).status, 1);
    const Ending log = testsupport::run(Lockctl, { QStringLiteral("audit") });
    QCOMPARE(log.status, 0);
    QVERIFY2(log.out.contains("ticket 4711"), log.out.constData());
    QVERIFY(log.out.contains(Stranger.section(u':', 0, 0).toLatin1()));
}

/// It was never a lock, though its fields look like owners and somebody takes it for one.
void LockctlForceRelease::leavesAnOrdinaryHashAlone()
{
    m_server.cli({ QStringLiteral("HSET"), Name, Stranger, QStringLiteral("alice"), Other, QStringLiteral("bob") });
    const Ending shown = testsupport::run(Lockctl, on({ QStringLiteral("show"), Name }));
    QCOMPARE(shown.status, 1);
    QVERIFY2(shown.err.contains("there is no lock of this name"), shown.err.constData());
    QCOMPARE(release({ Stranger, Other }, auditHere()).status, 1);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("1"));
}

void LockctlForceRelease::freesWhatAnotherProgramWroteInto()
{
    const QStringList strange{ QStringLiteral("junk"), QStringLiteral("x:"), QStringLiteral("a:b:c:"),
        Other + QStringLiteral(":write"), Stranger + QStringLiteral(":write") };
    m_server.cli({ QStringLiteral("HSET"), Name, Stranger, QStringLiteral("1") });
    for (const QString &field : strange)
        m_server.cli({ QStringLiteral("HSET"), Name, field, QStringLiteral("7") });
    const Ending shown
        = testsupport::run(Lockctl, { QStringLiteral("--url"), m_server.url(), QStringLiteral("show"), Name });
    QVERIFY2(shown.out.contains("junk") && !shown.out.contains("port of Redisson"), shown.out.constData());
    QCOMPARE(release({ Stranger }, auditHere()).status, 1);
    const Ending ending = release(strange + QStringList{ Stranger }, auditHere());
    QVERIFY2(ending.status == 0, ending.err.constData());
    QCOMPARE(QJsonDocument::fromJson(ending.out).object()[u"found"].toArray().size(), strange.size() + 1);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
}

void LockctlForceRelease::saysThatALockIsTooLargeToBeRead()
{
    m_server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("redis.call('HSET', KEYS[1], 'mode', 'read') for i = 1, 1200 do"
                       " redis.call('HSET', KEYS[1], '5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:' .. i, 1) end"),
        QStringLiteral("1"), Name });
    const Ending shown = testsupport::run(Lockctl, on({ QStringLiteral("show"), Name }));
    QCOMPARE(shown.status, 3);
    QVERIFY2(shown.err.contains("too large to be read"), shown.err.constData());
}

QTEST_GUILESS_MAIN(LockctlForceRelease)
#include "tst_lockctl_force_release.moc"
