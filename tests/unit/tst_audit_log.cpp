// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/actions/audit_log.h"
#include "lockcore/transport/clock.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace Qt::StringLiterals;

namespace {

const WallTime Moment{ Millis(1'763'709'844'123) };
const ExpectedHolder Holder{ { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" }, {} };

ForceRelease release(std::string name, std::string reason = "stuck")
{
    return { std::move(name), Kind::Fair, { Holder }, std::move(reason) };
}

} // namespace

class AuditLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QFile::remove(file()); }

    void writesOneLineBeforeAndOneAfter()
    {
        AuditLog log(file());
        const auto id = log.begin(release("inventory"), "10.0.0.5:6379", Moment);
        QVERIFY(id);
        QCOMPARE(lines().size(), 1);
        const QJsonObject intent = lines().at(0);
        QCOMPARE(intent[u"phase"_s], u"intent"_s);
        QCOMPARE(intent[u"at"_s], u"2025-11-21T07:24:04.123Z"_s);
        QVERIFY(!intent[u"user"_s].toString().isEmpty());
        QCOMPARE(intent[u"endpoint"_s], u"10.0.0.5:6379"_s);
        QCOMPARE(intent[u"lock"_s], u"inventory"_s);
        QCOMPARE(intent[u"kind"_s], u"fair"_s);
        QCOMPARE(intent[u"reason"_s], u"stuck"_s);
        QCOMPARE(intent[u"expected"_s][0][u"thread"_s], u"7"_s);

        HolderReading found;
        found.owner = Holder.owner;
        found.count = 2;
        const CommandOutcome outcome{ true, { found }, true };
        QVERIFY(log.end(*id, outcome, Moment));
        const QJsonObject done = lines().at(1);
        QCOMPARE(done[u"id"_s], intent[u"id"_s]);
        QCOMPARE(done[u"outcome"_s], u"done"_s);
        QCOMPARE(done[u"found"_s][0][u"count"_s], 2);
    }

    void namesTheConnectionIfItHasAName()
    {
        QVERIFY(AuditLog(file(), { "bill\xffing", "PROD" }).begin(release("one"), "there", Moment));
        QVERIFY(AuditLog(file()).begin(release("two"), "there", Moment));
        QCOMPARE(lines().at(0)[u"connection"_s], u"bill\\xffing"_s);
        QCOMPARE(lines().at(0)[u"environment"_s], u"PROD"_s);
        QVERIFY(!lines().at(1).contains(u"connection"_s) && !lines().at(1).contains(u"environment"_s));
    }

    void saysWhenItWasRefusedOrFailed()
    {
        AuditLog log(file());
        QVERIFY(log.end("1", CommandOutcome{}, Moment));
        QVERIFY(log.end("2", failure(ErrorCode::ReplyTimeout, "no reply", "there"), Moment));
        QCOMPARE(lines().at(0)[u"outcome"_s], u"refused"_s);
        QCOMPARE(lines().at(1)[u"outcome"_s], u"failed"_s);
        QCOMPARE(lines().at(1)[u"code"_s], u"replyTimeout"_s);
        QCOMPARE(lines().at(1)[u"error"_s], u"there: no reply"_s);
        CommandOutcome anew;
        anew.isAnew = true;
        QVERIFY(log.end("3", anew, Moment));
        QCOMPARE(lines().at(2)[u"anew"_s], true);
        QVERIFY(!lines().at(0).contains(u"anew"_s) && !lines().at(0).contains(u"foundEnd"_s));
    }

    /// A client that is led by hand looks at no holders.
    void tellsOfNoHoldersWhereNobodyLooked()
    {
        AuditLog log(file());
        QVERIFY(log.endByHand("1", true, Moment) && log.endByHand("2", false, Moment));
        QVERIFY(log.endByHand("3", failure(ErrorCode::ConnectionClosed, "it was killed", "client"), Moment));
        const QStringList outcomes{ u"done"_s, u"refused"_s, u"failed"_s };
        for (qsizetype i = 0; i < outcomes.size(); ++i) {
            QCOMPARE(lines().at(i)[u"outcome"_s], outcomes[i]);
            QVERIFY(!lines().at(i).contains(u"found"_s) && !lines().at(i).contains(u"published"_s));
        }
        QCOMPARE(lines().at(2)[u"error"_s], u"client: it was killed"_s);
    }

    /// As it was seen and as it was found, each by its clock.
    void saysWhenTheLockEnded()
    {
        AuditLog log(file());
        ForceRelease ends = release("one");
        ends.end = SeenEnd{ transport::monoNow() + Millis(30'000), {} };
        ForceRelease neverEnds = release("two");
        neverEnds.end = SeenEnd{};
        QVERIFY(log.begin(ends, "there", Moment) && log.begin(neverEnds, "there", Moment)
            && log.begin(release("three"), "there", Moment));
        CommandOutcome anew;
        anew.isAnew = true;
        QVERIFY(log.end("1", anew, Moment));
        anew.endsAt = Moment + Millis(45'000);
        QVERIFY(log.end("2", anew, Moment));
        const auto seen = QDateTime::fromString(lines().at(0)[u"seenEnd"_s].toString(), Qt::ISODateWithMs);
        QVERIFY(std::abs(seen.toMSecsSinceEpoch() - Moment.time_since_epoch().count() - 30'000) < 5'000);
        QCOMPARE(lines().at(1)[u"seenEnd"_s], u"never"_s);
        QVERIFY(!lines().at(2).contains(u"seenEnd"_s));
        QCOMPARE(lines().at(3)[u"foundEnd"_s], u"never"_s);
        QCOMPARE(lines().at(4)[u"foundEnd"_s], u"2025-11-21T07:24:49.123Z"_s);
    }

    void saysWhatWasNotSent()
    {
        AuditLog log(file());
        const Error error{ ErrorCode::ConnectionClosed, "it went", "there" };
        QVERIFY(log.addUnsent(release("it"), "there", Moment, { "other" }, error, Moment + Millis(5)));
        QVERIFY(log.end("2", failure(ErrorCode::ConnectionClosed, "it went", "there"), Moment));
        QCOMPARE(lines().at(0)[u"phase"_s], u"intent"_s);
        QCOMPARE(lines().at(0)[u"notAsked"_s].toArray().size(), 1);
        QCOMPARE(lines().at(1)[u"id"_s], lines().at(0)[u"id"_s]);
        QCOMPARE(lines().at(1)[u"unsent"_s], true);
        QCOMPARE(lines().at(1)[u"outcome"_s], u"failed"_s);
        QVERIFY(!lines().at(2).contains(u"unsent"_s));
    }

    /// Only that others hold it than those who were expected is a refusal, and seen before anything is sent.
    void tellsARefusalFromWhatCannotBeSent()
    {
        AuditLog log(file());
        const auto tried = [&](Phrase why) {
            const Error error = errorOf(ErrorCode::HolderChanged, { why, { "a:1", "b:1" } }, {});
            return log.addUnsent(release("it"), "there", Moment, {}, error, Moment).has_value();
        };
        QVERIFY(tried(Phrase::HoldersDiffer) && tried(Phrase::HoldersGone) && tried(Phrase::QueueOfAnother));
        QCOMPARE(lines().at(1)[u"outcome"_s], u"refused"_s);
        QCOMPARE(lines().at(3)[u"outcome"_s], u"refused"_s);
        QCOMPARE(lines().at(5)[u"outcome"_s], u"failed"_s);
        for (const qsizetype end : { 1, 3, 5 })
            QCOMPARE(lines().at(end)[u"code"_s], u"holderChanged"_s);
    }

    /// A try takes long until it is given up.
    void saysWhenWhatWasNotSentWouldEndByTheTimeItWasGivenUp()
    {
        AuditLog log(file());
        ForceRelease command = release("it");
        command.end = SeenEnd{ transport::monoNow() + Millis(60'000), {} };
        const Error error{ ErrorCode::ConnectTimeout, "no answer", "there" };
        QVERIFY(log.addUnsent(command, "there", Moment, {}, error, Moment + Millis(15'000)));
        const auto end = QDateTime::fromString(lines().at(0)[u"seenEnd"_s].toString(), Qt::ISODateWithMs);
        QVERIFY(end.toMSecsSinceEpoch() - Moment.time_since_epoch().count() > 70'000);
    }

    void keepsStrangersTextOnItsLineAndInAscii()
    {
        AuditLog log(file());
        const std::string name = "a\n{\"phase\":\"outcome\"}\r\x1b[2J\u202e\U0001f512\x7f";
        QVERIFY(log.begin(release(name), "there", Moment));
        const QByteArray raw = content();
        QCOMPARE(raw.count('\n'), 1);
        for (const char byte : raw.chopped(1))
            QVERIFY(byte >= 0x20 && byte < 0x7f);
        QCOMPARE(lines().at(0)[u"lock"_s].toString().toStdString(), name);
    }

    void carriesBytesThatAreNoText()
    {
        AuditLog log(file());
        QVERIFY(log.begin(release("a\xff\xfe"), "there", Moment));
        QCOMPARE(lines().at(0)[u"lock"_s], u"a\\xff\\xfe"_s);
        QCOMPARE(QByteArray::fromBase64(lines().at(0)[u"lockBase64"_s].toString().toLatin1()), QByteArray("a\xff\xfe"));
    }

    void addsToWhatIsThere()
    {
        QVERIFY(AuditLog(file()).begin(release("one"), "there", Moment));
        QVERIFY(AuditLog(file()).begin(release("two"), "there", Moment));
        QCOMPARE(lines().size(), 2);
    }

    void startsAFreshLineAfterACrash()
    {
        QFile torn(file());
        QVERIFY(torn.open(QIODevice::WriteOnly));
        torn.write("{\"id\":\"half");
        torn.close();
        QVERIFY(AuditLog(file()).begin(release("next"), "there", Moment));
        QCOMPARE(lines().size(), 2);
        QCOMPARE(lines().at(1)[u"lock"_s], u"next"_s);
    }

    void refusesWhatItCannotRecord()
    {
        AuditLog log(m_folder.path()); // a folder is no file
        QCOMPARE(log.begin(release("x"), "there", Moment).error().code, ErrorCode::FileFailed);
        if (QFile::exists(u"/dev/full"_s))
            QCOMPARE(AuditLog(u"/dev/full"_s).begin(release("x"), "there", Moment).error().code, ErrorCode::FileFailed);
    }

private:
    QString file() const { return m_folder.filePath(u"log.jsonl"_s); }
    QByteArray content() const
    {
        QFile stored(file());
        return stored.open(QIODevice::ReadOnly) ? stored.readAll() : QByteArray();
    }
    QList<QJsonObject> lines() const
    {
        QList<QJsonObject> objects;
        for (const QByteArray &line : content().trimmed().split('\n'))
            objects.append(QJsonDocument::fromJson(line).object());
        return objects;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(AuditLogTest)
#include "tst_audit_log.moc"
