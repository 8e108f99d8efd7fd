// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"

#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using testsupport::Ending;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::RedisServers;
using testsupport::take;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int LeaseMs = 600'000;
const QString Permit = u"00112233445566778899aabbccddeeff"_s;

QString nameOf(const RedisServer &server) { return u"127.0.0.1:%1"_s.arg(server.port()); }

QByteArray mayHaveIt(const RedisServer &notAsked)
{
    return "What " + nameOf(notAsked).toLatin1()
        + " had was not known: it was not asked, and may still have the lock.\n";
}

void addWaiter(const RedisServer &server, const QString &name, const QString &owner)
{
    const QString timeOut = QString::number(QDateTime::currentMSecsSinceEpoch() + LeaseMs);
    server.cli({ u"RPUSH"_s, u"redisson_lock_queue:{%1}"_s.arg(name), owner });
    server.cli({ u"ZADD"_s, u"redisson_lock_timeout:{%1}"_s.arg(name), timeOut, owner });
}

} // namespace

/// One lock of independent servers, of which some may not be seen.
class LockctlNodes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_servers.start());
    }
    void init()
    {
        QVERIFY(m_servers.reset());
        QFile::remove(audit());
    }

    void doesNotDenyALockThatMayBeOnAServerThatWasNotSeen_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("show") << QStringList{ u"show"_s, u"order"_s };
        QTest::newRow("show as JSON") << QStringList{ u"--json"_s, u"show"_s, u"order"_s };
        QTest::newRow("force-release") << QStringList{ u"force-release"_s, u"order"_s, u"--expect"_s, OwnerA };
        QTest::newRow("renew") << QStringList{ u"renew"_s, u"order"_s, u"--ttl"_s, u"60s"_s, u"--expect"_s, OwnerA };
        QTest::newRow("drop-waiter") << QStringList{ u"drop-waiter"_s, u"order"_s, OwnerB };
        QTest::newRow("return-permit") << QStringList{ u"return-permit"_s, u"order"_s, Permit };
    }
    void doesNotDenyALockThatMayBeOnAServerThatWasNotSeen()
    {
        QFETCH(const QStringList, command);
        take(m_servers[2], u"order"_s, OwnerA, LeaseMs);
        m_servers[2].pause();
        const Ending ending = run(command);
        m_servers[2].resume();
        QVERIFY2(!ending.err.contains("there is no lock"), ending.err.constData());
        const QByteArray said = "no lock of this name was found on the servers that were seen; not seen: "
            + nameOf(m_servers[2]).toLatin1() + '\n';
        QVERIFY2(ending.err.contains(said), ending.err.constData());
        QCOMPARE(ending.out, QByteArray());
        QCOMPARE(ending.status, 3);
    }

    void saysThatThereIsNoneWhereAllServersWereSeen()
    {
        for (const QStringList &command :
            { QStringList{ u"show"_s, u"order"_s }, QStringList{ u"drop-waiter"_s, u"order"_s, OwnerB } }) {
            const Ending ending = run(command);
            QVERIFY2(ending.err.contains("there is no lock of this name on redis-nodes://"), ending.err.constData());
            QCOMPARE(ending.status, 1);
        }
    }

    /// The lock is seen, and who stands in its queue on that server is not.
    void doesNotDenyAWaiterThatMayBeOnAServerThatWasNotSeen()
    {
        const QString name = u"fair"_s;
        for (std::size_t i = 0; i < m_servers.size(); ++i)
            take(m_servers[i], name, OwnerA, LeaseMs);
        addWaiter(m_servers[2], name, OwnerB);
        m_servers[2].pause();
        const Ending ending = run({ u"drop-waiter"_s, name, OwnerB });
        m_servers[2].resume();
        const QByteArray lost = nameOf(m_servers[2]).toLatin1();
        const QByteArray said = "lockctl: dropping a waiter of fair: none of the servers that are seen has it; not "
                                "asked, and may have it: "
            + lost + '\n';
        QVERIFY2(ending.err.contains(said), ending.err.constData());
        QCOMPARE(ending.status, 3);
        const Ending log = testsupport::run(Lockctl, { u"audit"_s, u"--audit-file"_s, audit() });
        const QByteArray outcome = "not sent; not asked: " + lost;
        QVERIFY2(log.out.contains(outcome), log.out.constData());

        const Ending gone = run({ u"drop-waiter"_s, name, u"aaaa:1"_s });
        QVERIFY2(gone.err.contains("none of the servers that are seen has it\n"), gone.err.constData());
        QCOMPARE(gone.status, 1);
    }

    /// Others do not wait there, or do not have the permit: what the server that was not asked has is not known.
    void doesNotDenyWhatOnlyAServerThatWasNotAskedMayHave()
    {
        for (std::size_t i = 0; i < m_servers.size(); ++i) {
            m_servers[i].cli({ u"SET"_s, u"sem"_s, u"1"_s });
            m_servers[i].cli(
                { u"ZADD"_s, u"{sem}:timeout"_s, u"9000000000000"_s, i == 2 ? Permit : QString(u"ff"_s).repeated(16) });
        }
        m_servers[2].pause();
        const Ending ending = run({ u"return-permit"_s, u"sem"_s, Permit });
        m_servers[2].resume();
        QVERIFY2(ending.err.contains("nothing was changed: nobody holds this permit on the servers that were asked\n"),
            ending.err.constData());
        QVERIFY2(ending.err.contains(mayHaveIt(m_servers[2])), ending.err.constData());
        QCOMPARE(ending.status, 3);
        QCOMPARE(m_servers[2].cli({ u"ZSCORE"_s, u"{sem}:timeout"_s, Permit }), QByteArray("9000000000000"));

        const Ending gone = run({ u"return-permit"_s, u"sem"_s, QString(u"ee"_s).repeated(16) });
        QVERIFY2(gone.err.contains("nothing was changed: nobody holds this permit\n"), gone.err.constData());
        QCOMPARE(gone.status, 1);
    }

    /// It answers, and does not let anybody look: it is reached all the same.
    void saysOfAServerThatRefusesToBeReadOnlyThatItWasNotSeen()
    {
        take(m_servers[0], u"order"_s, OwnerA, LeaseMs);
        take(m_servers[1], u"order"_s, OwnerA, LeaseMs);
        m_servers[2].cli({ u"ACL"_s, u"SETUSER"_s, u"default"_s, u"-@read"_s });
        const Ending ending = run({ u"force-release"_s, u"order"_s, u"--expect"_s, OwnerA });
        m_servers[2].cli({ u"ACL"_s, u"SETUSER"_s, u"default"_s, u"+@all"_s });
        QVERIFY2(ending.err.contains(mayHaveIt(m_servers[2])), ending.err.constData());
        QCOMPARE(ending.status, 0);
    }

    /// A RedLock of Redisson has another client on each server.
    void doubtsALockOnlyByWhatOneServerHas()
    {
        const QStringList clients{ u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:"_s,
            u"5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:"_s, u"0c5d1be0-41c2-4e0b-9f55-0c5d1be0a7d2:"_s };
        for (std::size_t i = 0; i < m_servers.size(); ++i) {
            for (const QString &name : { u"red"_s, u"doubtful"_s }) {
                take(m_servers[i], name, clients[static_cast<qsizetype>(i)] + u'7', LeaseMs);
                addWaiter(m_servers[i], name, clients[static_cast<qsizetype>(i)] + u'8'); // it is a fair lock
            }
        }
        m_servers[1].cli({ u"HSET"_s, u"doubtful"_s, clients[0] + u'9', u"1"_s });
        for (const QString &name : { u"red"_s, u"doubtful"_s }) {
            const bool isDoubted = name == u"doubtful"_s;
            const Ending shown = run({ u"show"_s, name });
            QVERIFY2(shown.out.contains("kind      fair\n"), shown.out.constData());
            QVERIFY2(shown.out.contains("may be no lock") == isDoubted, shown.out.constData());
            const Ending json = run({ u"--json"_s, u"show"_s, name });
            QCOMPARE(QJsonDocument::fromJson(json.out)[u"mayBeNoLock"].toBool(), isDoubted);
        }
    }

    void saysWhoHasItInAWholeSentence()
    {
        take(m_servers[0], u"order"_s, OwnerA, LeaseMs);
        take(m_servers[2], u"order"_s, OwnerA, LeaseMs);
        const Ending ending = run({ u"force-release"_s, u"order"_s, u"--expect"_s, u"aaaa:1"_s });
        QCOMPARE(ending.status, 1);
        const QString owner = u"%1 (%2, %3)"_s.arg(OwnerA, nameOf(m_servers[0]), nameOf(m_servers[2]));
        const QString other = u"%1 (%3, %2)"_s.arg(OwnerA, nameOf(m_servers[0]), nameOf(m_servers[2])); // by port
        const auto said = [](const QString &by) -> QByteArray {
            return QByteArray("lockctl: force release of order: nothing was changed: it is held by ") + by.toLatin1()
                + ", and expected was aaaa:1\n";
        };
        QVERIFY2(ending.err == said(owner) || ending.err == said(other), ending.err.constData());
        QCOMPARE(m_servers.held("order"), 2);
        const Ending log = testsupport::run(Lockctl, { u"audit"_s, u"--audit-file"_s, audit() });
        QVERIFY2(log.out.contains("refused") && !log.out.contains("not sent"), log.out.constData());
        const Ending lines = testsupport::run(Lockctl, { u"--json"_s, u"audit"_s, u"--audit-file"_s, audit() });
        QVERIFY2(lines.out.contains("\"unsent\":true"), lines.out.constData());
    }

    void namesEachServerThatDoesNotAnswer_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("ls") << QStringList{ u"ls"_s };
        QTest::newRow("show") << QStringList{ u"show"_s, u"order"_s };
    }
    void namesEachServerThatDoesNotAnswer()
    {
        QFETCH(const QStringList, command);
        for (std::size_t i = 0; i < m_servers.size(); ++i)
            m_servers[i].kill();
        const Ending ending = run(command);
        QCOMPARE(ending.status, 3);
        QCOMPARE(ending.out, QByteArray());
        for (std::size_t i = 0; i < m_servers.size(); ++i)
            QCOMPARE(ending.err.count(nameOf(m_servers[i]).toLatin1()), 1);
        QCOMPARE(ending.err.count('\n'), 3);
    }

private:
    Ending run(const QStringList &command)
    {
        const QString url
            = u"redis-nodes://%1,%2,%3"_s.arg(nameOf(m_servers[0]), nameOf(m_servers[1]), nameOf(m_servers[2]));
        const QStringList acts{ u"force-release"_s, u"renew"_s, u"drop-waiter"_s, u"return-permit"_s };
        QStringList arguments = QStringList{ u"--url"_s, url } + command;
        if (acts.contains(command.front()))
            arguments = QStringList{ u"--writable"_s } + arguments
                + QStringList{ u"--reason"_s, u"stuck"_s, u"--audit-file"_s, audit() };
        return testsupport::run(Lockctl, arguments);
    }
    QString audit() const { return m_folder.filePath(u"audit"_s); }

    RedisServers m_servers{ 3 };
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(LockctlNodes)
#include "tst_lockctl_nodes.moc"
