// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/server_test.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <csignal>
#include <memory>

using testsupport::Ending;
using testsupport::Program;
using testsupport::ServerTest;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const QString Name = u"billing:close"_s;
const QString Stranger = u"5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:9"_s;
const QString First = u"5d0e77c1-0a1b-4c2d-8e3f-405162738495:112"_s;
const QString Second = u"5d0e77c1-0a1b-4c2d-8e3f-405162738495:113"_s;
const QString Permit = u"00112233445566778899aabbccddeeff"_s;

QString ownerOf(const QJsonObject &acquired)
{
    return acquired[u"client"].toString() + u':' + acquired[u"thread"].toString();
}

QString braced(const QString &name) { return name.contains(u'{') ? name : u'{' + name + u'}'; }
QString queueOf(const QString &name) { return u"redisson_lock_queue:"_s + braced(name); }
bool isWoken(Program &waiter) { return !waiter.lineWith("message", 3'000).isEmpty(); }

} // namespace

/// What is done to locks of others but to free them whole, as a person at a shell does it.
class LockctlActions : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override { QFile::remove(auditFile()); }

private Q_SLOTS:
    void renewsWhatIsHeldAsSeen()
    {
        Program holder(Lockctl, on({ u"hold"_s, Name, u"--lease"_s, u"20000"_s }));
        const QString owner = ownerOf(holder.jsonWith("\"acquired\""));
        const Ending done = act({ u"renew"_s, Name, u"--ttl"_s, u"600000"_s, u"--expect"_s, owner });
        QCOMPARE(done.err, QByteArray());
        QCOMPARE(done.status, 0);
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toLongLong() > 500'000);

        const Ending refused = act({ u"renew"_s, Name, u"--ttl"_s, u"1"_s, u"--expect"_s, Stranger });
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains(owner.toLatin1()), refused.err.constData());
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toLongLong() > 500'000);
    }

    /// A lock of the same name may stand in another one.
    void recordsInWhichDatabase()
    {
        m_server.cli({ u"HSET"_s, Name, Stranger, u"1"_s });
        m_server.cli({ u"-n"_s, u"1"_s, u"HSET"_s, Name, Stranger, u"1"_s });
        const Ending freed = testsupport::run(Lockctl,
            { u"--url"_s, m_server.url() + u"/1"_s, u"--writable"_s, u"force-release"_s, Name, u"--expect"_s, Stranger,
                u"--reason"_s, u"r"_s, u"--audit-file"_s, auditFile() });
        QVERIFY2(freed.status == 0, freed.err.constData());
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("1"));
        QFile audit(auditFile());
        QVERIFY(audit.open(QIODevice::ReadOnly));
        const QByteArray recorded = audit.readAll();
        const QByteArray server = m_server.url().section(u'/', 2, 2).toUtf8();
        QVERIFY2(recorded.contains(QByteArray(server + "/1\"")), recorded.constData());
    }

    void takesOwnersAsATableShortensThem()
    {
        const QStringList read{ u"hold"_s, Name, u"--kind"_s, u"readWrite"_s, u"--mode"_s, u"read"_s };
        Program holder(Lockctl, on(read));
        const QString owner = ownerOf(holder.jsonWith("\"acquired\""));
        const QString shortened = owner.left(8) + u"…"_s + owner.mid(owner.indexOf(u':'));
        const Ending done = act({ u"renew"_s, Name, u"--ttl"_s, u"600000"_s, u"--expect"_s, shortened });
        QCOMPARE(done.status, 0);
        QCOMPARE(done.err, QByteArray("lockctl: ") + shortened.toUtf8() + " is " + owner.toUtf8() + "\n");
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toLongLong() > 500'000);

        // Another one whom it fits as well, and nobody.
        const QString twin = owner.left(8) + u"-41c2-4e0b-9f55-0c5d1be0a7d2"_s + owner.mid(owner.indexOf(u':'));
        m_server.cli({ u"HSET"_s, Name, twin, u"1"_s });
        const Ending unclear = act({ u"renew"_s, Name, u"--ttl"_s, u"1"_s, u"--expect"_s, shortened });
        QCOMPARE(unclear.status, 2);
        QVERIFY2(unclear.err.contains("fits 2 of them"), unclear.err.constData());
        const Ending nobody = act({ u"renew"_s, Name, u"--ttl"_s, u"1"_s, u"--expect"_s, u"00000000…:1"_s });
        QCOMPARE(nobody.status, 1);
        QVERIFY2(nobody.err.contains("fits nobody"), nobody.err.constData());
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toLongLong() > 500'000);
    }

    void wantsAsMuchOfAnOwnerAsATableShows()
    {
        m_server.cli({ u"HSET"_s, Name, Stranger, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, Name, u"600000"_s });
        const QString thread = Stranger.mid(Stranger.indexOf(u':'));
        for (const QString &shown : QStringList{ u"…"_s, Stranger.left(7) + u"…"_s }) {
            const Ending renewed = act({ u"renew"_s, Name, u"--ttl"_s, u"1"_s, u"--expect"_s, shown + thread });
            QCOMPARE(renewed.status, 2);
            QVERIFY2(renewed.err.contains("8 characters"), renewed.err.constData());
            const Ending freed = act({ u"force-release"_s, Name, u"--expect"_s, shown + thread });
            QCOMPARE(freed.status, 2);
            const Ending dropped = act({ u"drop-waiter"_s, Name, shown + thread });
            QCOMPARE(dropped.status, 2);
        }
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toLongLong() > 500'000);
    }

    void dropsAWaiterThatWakesTheNext()
    {
        const QStringList take{ u"hold"_s, Name, u"--kind"_s, u"fair"_s };
        m_server.cli({ u"RPUSH"_s, Queue, Stranger }); // its client is gone: without a deadline it blocks for ever
        Program waiter(Lockctl, on(take));
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({ u"LLEN"_s, Queue }), QByteArray("2"), 30'000);

        const Ending unknown = act({ u"drop-waiter"_s, Name, u"5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:10"_s });
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.err.contains(Stranger.toLatin1()), unknown.err.constData());
        QCOMPARE(m_server.cli({ u"LLEN"_s, Queue }), QByteArray("2"));

        const Ending done = act({ u"drop-waiter"_s, Name, Stranger });
        QCOMPARE(done.err, QByteArray());
        QCOMPARE(done.status, 0);
        const QJsonObject outcome = QJsonDocument::fromJson(done.out).object();
        QCOMPARE(outcome[u"done"].toBool(), true);
        QCOMPARE(outcome[u"published"].toBool(), true);
        QCOMPARE(outcome[u"waiting"].toArray().size(), 2);
        QVERIFY(!waiter.lineWith("\"acquired\"").isEmpty());
    }

    /// As Redisson before 3.52 keeps it with a NameMapper that puts `app:` before each name.
    void actsOnALockWhoseQueueLiesUnderAnotherName()
    {
        const QString name = u"app:billing"_s;
        m_server.cli({ u"HSET"_s, name, Stranger, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, name, u"600000"_s });
        const auto head = lineUp(First, u"billing"_s, name);
        const auto tail = lineUp(Second, u"billing"_s, name);
        QCOMPARE(waitersOf(name), (QStringList{ First, Second }));

        const Ending dropped = act({ u"drop-waiter"_s, name, Second });
        QCOMPARE(dropped.err, QByteArray());
        QCOMPARE(dropped.status, 0);
        QCOMPARE(waitersOf(name), QStringList{ First });

        const Ending released = act({ u"force-release"_s, name, u"--expect"_s, Stranger });
        QCOMPARE(released.err, QByteArray());
        QCOMPARE(released.status, 0);
        QVERIFY(isWoken(*head));
        QCOMPARE(m_server.cli({ u"LLEN"_s, queueOf(u"billing"_s) }), QByteArray("1"));
    }

    /// The lock itself has no key. Under the name of the queue nobody listens: who is next would not be woken.
    void actsOnAFreeLockWhoseQueueLiesUnderAnotherName()
    {
        const QString name = u"app:billing"_s;
        const auto head = lineUp(First, u"billing"_s, name);
        const auto tail = lineUp(Second, u"billing"_s, name);
        QCOMPARE(waitersOf(name), (QStringList{ First, Second }));
        const Ending diagnosed = testsupport::run(Lockctl, on({ u"diagnose"_s, name }));
        QVERIFY2(!diagnosed.err.contains("no lock of this name"), diagnosed.err.constData());
        const Ending shown = testsupport::run(Lockctl, { u"--url"_s, m_server.url(), u"show"_s, u"billing"_s });
        QVERIFY2(shown.out.contains("app:billing"), shown.out.constData());

        const Ending refused = act({ u"drop-waiter"_s, u"billing"_s, First });
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("app:billing"), refused.err.constData());
        QCOMPARE(m_server.cli({ u"LLEN"_s, queueOf(u"billing"_s) }), QByteArray("2"));

        const Ending dropped = act({ u"drop-waiter"_s, name, First });
        QCOMPARE(dropped.err, QByteArray());
        QCOMPARE(dropped.status, 0);
        QVERIFY(isWoken(*tail));
        QCOMPARE(m_server.cli({ u"LRANGE"_s, queueOf(u"billing"_s), u"0"_s, u"-1"_s }), Second.toLatin1());
    }

    void findsTheQueueUnderAnyPartOfAName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("queue");
        QTest::newRow("a prefix with a colon") << u"app:billing"_s << u"billing"_s;
        QTest::newRow("a prefix without a separator") << u"PRODbilling"_s << u"billing"_s;
        QTest::newRow("another separator") << u"prod+billing"_s << u"billing"_s;
        QTest::newRow("blanks") << u"my app lock"_s << u"lock"_s;
        QTest::newRow("a hashtag") << u"prod:{billing}"_s << u"{billing}"_s;
        QTest::newRow("a hashtag and more") << u"prod:{billing}x"_s << u"{billing}x"_s;
        QTest::newRow("a suffix") << u"billing!"_s << u"billing"_s;
        QTest::newRow("both") << u"p:o:billing:q:lock"_s << u"billing"_s;
    }
    void findsTheQueueUnderAnyPartOfAName()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, queue);
        m_server.cli({ u"HSET"_s, name, Stranger, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, name, u"600000"_s });
        const auto head = lineUp(First, queue, name);
        const auto tail = lineUp(Second, queue, name);
        QCOMPARE(waitersOf(name), (QStringList{ First, Second }));
        QCOMPARE(act({ u"drop-waiter"_s, name, Second }).status, 0);
        QCOMPARE(m_server.cli({ u"LLEN"_s, queueOf(queue) }), QByteArray("1"));
        const Ending released = act({ u"force-release"_s, name, u"--expect"_s, Stranger });
        QCOMPARE(released.status, 0);
        QVERIFY(isWoken(*head));
    }

    /// A mapper may make any name of any other.
    void wakesWhoWaitsInAQueueThatIsNotFound()
    {
        m_server.cli({ u"HSET"_s, Name, Stranger, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, Name, u"600000"_s });
        const auto waiter = lineUp(First, u"elsewhere"_s, Name);
        const Ending shown = testsupport::run(Lockctl, { u"--url"_s, m_server.url(), u"show"_s, Name });
        QVERIFY2(!shown.out.contains("reentrant"), shown.out.constData());
        QVERIFY2(!shown.out.contains("0 client instances"), shown.out.constData());
        QVERIFY2(shown.out.contains(First.toLatin1()), shown.out.constData());
        const Ending listed = testsupport::run(Lockctl, { u"--url"_s, m_server.url(), u"ls"_s });
        const auto line = QString::fromUtf8(listed.out).split(u'\n').filter(Name).value(0);
        QVERIFY2(line.contains(u"fair"_s) && line.contains(u"≥1"_s), listed.out.constData());

        const Ending released = act({ u"force-release"_s, Name, u"--expect"_s, Stranger });
        QCOMPARE(released.err, QByteArray());
        QCOMPARE(released.status, 0);
        QVERIFY(isWoken(*waiter));
    }

    void releasesOneReaderWhoeverElseReads()
    {
        const QStringList read{ u"hold"_s, Name, u"--kind"_s, u"readWrite"_s, u"--mode"_s, u"read"_s };
        Program stuck(Lockctl, on(read));
        Program working(Lockctl, on(read));
        const QString owner = ownerOf(stuck.jsonWith("\"acquired\""));
        const QString other = ownerOf(working.jsonWith("\"acquired\""));
        const Ending done = act({ u"force-release"_s, Name, u"--only"_s, u"--expect"_s, owner });
        QCOMPARE(done.err, QByteArray());
        QCOMPARE(done.status, 0);
        QCOMPARE(m_server.cli({ u"HEXISTS"_s, Name, owner }), QByteArray("0"));
        QCOMPARE(m_server.cli({ u"HEXISTS"_s, Name, other }), QByteArray("1"));
        working.signal(SIGINT);
        QCOMPARE(working.end().status, 0);
    }

    /// The usual race: what was seen without naming a half is held by somebody else, or is no read/write lock any more.
    void namesWhoHoldsAReadWriteLockNow()
    {
        const QString other = u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1"_s;
        const auto refuses = [&](const QStringList &command, const QByteArray &named) {
            const Ending ending = act(command);
            QVERIFY2(ending.err.contains(named), ending.err.constData());
            QCOMPARE(ending.status, 1);
            QCOMPARE(QJsonDocument::fromJson(ending.out).object()[u"done"_s].toBool(true), false);
            QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("1"));
        };
        m_server.cli({ u"HSET"_s, Name, u"mode"_s, u"write"_s, other + u":write"_s, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, Name, u"600000"_s });
        const QByteArray held = other.toLatin1() + ":write";
        refuses({ u"force-release"_s, Name, u"--expect"_s, Stranger }, held);
        refuses({ u"renew"_s, Name, u"--ttl"_s, u"1"_s, u"--expect"_s, Stranger }, held);
        refuses({ u"force-release"_s, Name, u"--expect"_s, other + u":read"_s }, held);
        m_server.cli({ u"HSET"_s, Name, other, u"1"_s }); // reads besides
        m_server.cli({ u"SET"_s, u"{%1}:%2:rwlock_timeout:1"_s.arg(Name, other), u"1"_s });
        refuses({ u"force-release"_s, Name, u"--expect"_s, other }, other.toLatin1() + ":read");
        QCOMPARE(act({ u"force-release"_s, Name, u"--only"_s, u"--expect"_s, other }).status, 0);
        QCOMPARE(act({ u"force-release"_s, Name, u"--expect"_s, other }).status, 0);

        m_server.cli({ u"HSET"_s, Name, other, u"1"_s });
        refuses({ u"force-release"_s, Name, u"--expect"_s, other + u":write"_s }, other.toLatin1());
    }

    void leavesALockThatItMayNotActOn_data()
    {
        QTest::addColumn<QString>("rules");
        QTest::newRow("channels") << u"+@all ~* resetchannels"_s;
        QTest::newRow("scripts") << u"+@all ~* allchannels -evalsha"_s;
        QTest::newRow("who can only look")
            << u"~* &redisson_* &__redis__:invalidate -@all +@read +@connection +subscribe "
               "+psubscribe +pubsub +info +time +client|tracking +eval_ro +evalsha_ro"_s;
        QTest::newRow("nearly nothing") << u"~* -@all +scan +type +hgetall +pttl"_s;
        QTest::newRow("nothing") << u"-@all"_s;
    }
    /// All rules that are needed are told once, and can be copied.
    void leavesALockThatItMayNotActOn()
    {
        QFETCH(const QString, rules);
        m_server.cli(
            QStringList{ u"ACL"_s, u"SETUSER"_s, u"limited"_s, u"reset"_s, u"on"_s, u">pw"_s } + rules.split(u' '));
        m_server.cli({ u"HSET"_s, Name, Stranger, u"1"_s });
        QString url = m_server.url();
        url.replace(u"redis://"_s, u"redis://limited:pw@"_s);
        const auto free = [&] {
            return testsupport::run(Lockctl,
                { u"--url"_s, url, u"--writable"_s, u"force-release"_s, Name, u"--expect"_s, Stranger, u"--reason"_s,
                    u"r"_s, u"--audit-file"_s, auditFile() });
        };
        const Ending refused = free();
        QCOMPARE(refused.status, 3);
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("1"));
        QCOMPARE(refused.err.count("ACL SETUSER"), 1);
        const QByteArray line = refused.err.mid(refused.err.indexOf("ACL SETUSER")).split('\n').first();
        QVERIFY2(line.startsWith("ACL SETUSER limited ") && !line.contains(" ~billing"), refused.err.constData());
        QCOMPARE(m_server.cli(QString::fromUtf8(line).split(u' ')), QByteArray("OK"));
        if (refused.err.contains("nothing was changed")) {
            QFile audit(auditFile());
            QVERIFY(audit.open(QIODevice::ReadOnly));
            QVERIFY(audit.readAll().contains("nothing was changed"));
        }
        const Ending freed = free();
        QVERIFY2(freed.status == 0, freed.err.constData());
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("0"));
    }

    /// Which of the two messages its servers know is not known before they may be asked.
    void namesTheMessagesOfAClusterAtOnce()
    {
        testsupport::RedisCluster cluster;
        QVERIFY(cluster.start());
        const auto atAll = [&](const QStringList &command) {
            for (int i = 0; i < testsupport::RedisCluster::Masters; ++i)
                QCOMPARE(cluster.node(i).cli(command), QByteArray("OK"));
        };
        atAll(QString(u"ACL SETUSER limited on >pw resetchannels +@connection +info +cluster +psubscribe +subscribe "
                      u"+ssubscribe &redisson_* &__redis__:invalidate"_s)
                  .split(u' '));
        const QString name = QString::fromStdString(cluster.nameAt(0, "order"));
        cluster.node(0).cli({ u"HSET"_s, name, Stranger, u"1"_s });
        const quint16 port = cluster.deployment().seeds.front().port;
        const auto free = [&] {
            return testsupport::run(Lockctl,
                { u"--url"_s, u"redis-cluster://limited:pw@127.0.0.1:%1"_s.arg(port), u"--writable"_s,
                    u"force-release"_s, name, u"--expect"_s, Stranger, u"--reason"_s, u"r"_s, u"--audit-file"_s,
                    auditFile() });
        };
        const Ending refused = free();
        QVERIFY2(refused.err.contains("ACL SETUSER"), refused.err.constData());
        const QByteArray line = refused.err.mid(refused.err.indexOf("ACL SETUSER")).split('\n').first();
        atAll(QString::fromUtf8(line).split(u' '));
        const Ending freed = free();
        QVERIFY2(freed.status == 0, freed.err.constData());
    }

    void saysNoWhenItIsNoLockAnyMore()
    {
        const Ending gone = act({ u"return-permit"_s, Name, Permit });
        QCOMPARE(gone.status, 1);
        QVERIFY2(gone.err.contains("no such semaphore any more; nothing was changed"), gone.err.constData());
        m_server.cli({ u"HSET"_s, Name, Stranger, u"1"_s });
        const Ending other = act({ u"return-permit"_s, Name, Permit });
        QCOMPARE(other.status, 1);
        QVERIFY2(other.err.contains("no lock of this kind any more; nothing was changed"), other.err.constData());
    }

    void recordsAHolderThatWasNamedTwiceOnce()
    {
        m_server.cli({ u"HSET"_s, Name, Stranger, u"1"_s });
        const Ending done = act({ u"force-release"_s, Name, u"--expect"_s, Stranger, Stranger, Stranger });
        QCOMPARE(done.status, 0);
        QVERIFY2(!done.out.contains("was told"), done.out.constData()); // nobody listens
        QFile audit(auditFile());
        QVERIFY(audit.open(QIODevice::ReadOnly));
        const auto intent = QJsonDocument::fromJson(audit.readLine()).object();
        QCOMPARE(intent[u"expected"].toArray().size(), 1);
        const Ending nothing
            = testsupport::run(Lockctl, { u"audit"_s, u"--audit-file"_s, auditFile(), u"--lock"_s, u"another"_s });
        QCOMPARE(nothing.out, QByteArray("Nothing is recorded that matches.\n"));
    }

    void handsAPermitBack()
    {
        m_server.cli({ u"SET"_s, Name, u"0"_s });
        m_server.cli({ u"ZADD"_s, u"{%1}:timeout"_s.arg(Name), u"9000000000000"_s, Permit });
        QCOMPARE(act({ u"return-permit"_s, Name, QString(u"ff"_s).repeated(16) }).status, 1);
        const Ending done = act({ u"return-permit"_s, Name, Permit });
        QCOMPARE(done.err, QByteArray());
        QCOMPARE(done.status, 0);
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), QByteArray("1"));
    }

    void saysThatThereIsNoLockToWaitFor()
    {
        const Ending ending = act({ u"drop-waiter"_s, u"nope"_s, Stranger });
        QCOMPARE(ending.status, 1);
        QVERIFY2(ending.err.contains("there is no lock of this name"), ending.err.constData());
    }

    /// As they were typed, and when by the clock of which place.
    void tellsOwnersInTheAuditLogAsTheyAre()
    {
        const QString reader = u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"_s;
        m_server.cli({ u"HSET"_s, Name, u"mode"_s, u"read"_s, reader, u"1"_s });
        (void)act({ u"force-release"_s, Name, u"--expect"_s, reader + u":read"_s });
        m_server.cli({ u"HSET"_s, u"written into"_s, reader, u"1"_s, u"foreign"_s, u"1"_s });
        (void)act({ u"force-release"_s, u"written into"_s, u"--expect"_s, reader, u"foreign"_s });
        const Ending audit = testsupport::run(
            Lockctl, { u"audit"_s, u"--audit-file"_s, auditFile() }, { { u"TZ"_s, u"Asia/Tokyo"_s } });
        QVERIFY2(audit.out.contains(QByteArray(reader.toUtf8() + ":read ")), audit.out.constData());
        QVERIFY2(audit.out.contains(QByteArray(reader.toUtf8() + ", foreign ")), audit.out.constData());
        QVERIFY2(audit.out.contains("+09:00 "), audit.out.constData());
    }

    void leavesNothingOutOfTheAuditLog()
    {
        QCOMPARE(act({ u"drop-waiter"_s, Name, Stranger }).status, 1);
        QCOMPARE(act({ u"drop-waiter"_s, u"another"_s, Stranger }).status, 1);
        m_server.cli({ u"HSET"_s, u"another"_s, u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"_s, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, u"another"_s, u"60000"_s });
        QCOMPARE(act({ u"renew"_s, u"another"_s, u"--ttl"_s, u"1000"_s, u"--expect"_s, Stranger }).status, 1);
        const auto audit = [this](const QStringList &arguments) {
            return testsupport::run(Lockctl, QStringList{ u"audit"_s, u"--audit-file"_s, auditFile() } + arguments);
        };
        const QByteArray table = audit({}).out;
        QCOMPARE(table.count('\n'), 4); // with the titles
        QVERIFY2(table.contains("dropWaiter") && table.contains("refused") && table.contains("ticket 4711"),
            table.constData());
        QVERIFY(table.contains(Stranger.toLatin1()));
        QVERIFY2(table.contains(" renew "), table.constData()); // by the name that everything else has for it

        const Ending one = audit({ u"--json"_s, u"--lock"_s, Name });
        QCOMPARE(one.out.count('\n'), 2); // asked and answered
        QCOMPARE(QJsonDocument::fromJson(one.out.split('\n').first()).object()[u"lock"].toString(), Name);
        QCOMPARE(audit({ u"--json"_s, u"--since"_s, u"2100-01-01"_s }).out, QByteArray());
        QCOMPARE(audit({ u"--json"_s, u"--until"_s, u"2100-01-01T00:00:00Z"_s }).out.count('\n'), 6);
        QCOMPARE(audit({ u"--since"_s, u"yesterday"_s }).status, 2);
    }

    void tellsOfAnActionThatWasInterrupted()
    {
        QFile file(auditFile());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"id":"1","phase":"intent","at":"2026-11-20T14:02:11.380Z","lock":"a","action":"renew"})"
                   "\nnonsense\n");
        file.close();
        const Ending ending = testsupport::run(Lockctl, { u"audit"_s, u"--audit-file"_s, auditFile() });
        QCOMPARE(ending.status, 0);
        QVERIFY(ending.out.contains("interrupted"));
        QVERIFY2(ending.err.contains("damaged lines, left out: 1"), ending.err.constData());
    }

    void changesNothingWithoutBeingToldTwice_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QByteArray>("missing");
        const QStringList renew{ u"renew"_s, Name, u"--expect"_s, Stranger };
        const QStringList reason{ u"--reason"_s, u"r"_s };
        const QStringList writable{ u"--writable"_s };
        QTest::newRow("renew for how long") << renew + reason + writable << QByteArray("--ttl");
        QTest::newRow("renew whose") << QStringList{ u"renew"_s, Name, u"--ttl"_s, u"1"_s } + reason + writable
                                     << QByteArray("--expect");
        QTest::newRow("renew why") << renew + QStringList{ u"--ttl"_s, u"1"_s } + writable << QByteArray("--reason");
        QTest::newRow("renew really") << renew + QStringList{ u"--ttl"_s, u"1"_s } + reason << QByteArray("--writable");
        QTest::newRow("drop whom") << QStringList{ u"drop-waiter"_s, Name } + reason + writable << QByteArray("waiter");
        QTest::newRow("drop really") << QStringList{ u"drop-waiter"_s, Name, Stranger } + reason
                                     << QByteArray("--writable");
        QTest::newRow("drop no owner") << QStringList{ u"drop-waiter"_s, Name, u"x"_s } + reason + writable
                                       << QByteArray("CLIENT:THREAD");
        QTest::newRow("return which") << QStringList{ u"return-permit"_s, Name } + reason + writable
                                      << QByteArray("permit");
    }
    void changesNothingWithoutBeingToldTwice()
    {
        QFETCH(const QStringList, command);
        QFETCH(const QByteArray, missing);
        const Ending ending = testsupport::run(Lockctl, on(command));
        QCOMPARE(ending.status, 2);
        QCOMPARE(ending.err.count('\n'), 1);
        QVERIFY2(ending.err.contains(missing), ending.err.constData());
    }

private:
    QString auditFile() const { return m_folder.filePath(u"audit"_s); }
    QStringList on(const QStringList &command) const
    {
        return QStringList{ u"--url"_s, m_server.url(), u"--json"_s } + command;
    }
    /// It stands in the queue under one name, and listens under another.
    std::unique_ptr<Program> lineUp(const QString &owner, const QString &queue, const QString &lock) const
    {
        m_server.cli({ u"ZADD"_s, u"redisson_lock_timeout:"_s + braced(queue), u"4102444800000"_s, owner });
        m_server.cli({ u"RPUSH"_s, queueOf(queue), owner });
        const QString channel = u"redisson_lock__channel:"_s + braced(lock) + u':' + owner;
        auto client = std::make_unique<Program>(
            u"redis-cli"_s, QStringList{ u"-s"_s, m_server.socketPath(), u"SUBSCRIBE"_s, channel });
        client->lineWith("subscribe");
        return client;
    }
    QStringList waitersOf(const QString &name) const
    {
        const Ending shown = testsupport::run(Lockctl, on({ u"show"_s, name }));
        QStringList owners;
        for (const QJsonValue &waiter : QJsonDocument::fromJson(shown.out).object()[u"waiters"].toArray())
            owners << ownerOf(waiter.toObject());
        return owners;
    }
    Ending act(const QStringList &command) const
    {
        return testsupport::run(Lockctl,
            on(command
                + QStringList{ u"--writable"_s, u"--reason"_s, u"ticket 4711"_s, u"--audit-file"_s, auditFile() }));
    }

    const QString Queue = u"redisson_lock_queue:{%1}"_s.arg(Name);
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(LockctlActions)
#include "tst_lockctl_actions.moc"
