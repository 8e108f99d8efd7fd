// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/actions/audit_log.h"
#include "lockcore/service/actions/audit_reader.h"
#include "lockcore/service/audit_follower.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace Qt::StringLiterals;

namespace {

const WallTime Moment{ Millis(1'763'709'844'123) };
const ExpectedHolder Reader{ { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" }, HoldMode::Read };
constexpr std::int64_t AtOnce = 1 << 20;

ForceRelease release(std::string name, std::string reason = "stuck")
{
    return { std::move(name), Kind::ReadWrite, { Reader }, std::move(reason), true };
}

CommandOutcome doneWith(std::int64_t count)
{
    HolderReading found;
    found.owner = Reader.owner;
    found.mode = Reader.mode;
    found.count = count;
    return { true, { found }, true };
}

std::vector<AuditEntryPtr> parsed(const std::string &bytes, std::size_t piece)
{
    AuditParser parser;
    std::vector<AuditEntryPtr> entries;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
        addNews(entries, parser.take(std::string_view(bytes).substr(at, piece)));
    addNews(entries, parser.finish());
    return entries;
}

/// What the follower has told.
struct Told {
    explicit Told(AuditFollower &follower)
    {
        QObject::connect(&follower, &AuditFollower::reported, &follower, [this](const AuditReport &report) {
            if (report.restarted)
                entries.clear();
            addNews(entries, report.news);
            last = report;
            ++reports;
        });
    }
    std::vector<AuditEntryPtr> entries;
    AuditReport last;
    int reports = 0;
};

} // namespace

class AuditReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QFile::remove(file()); }

    void readsAllThatWasWritten()
    {
        AuditLog log(file());
        const auto id = log.begin(release("inventory"), "10.0.0.5:6379", Moment);
        QVERIFY(log.end(*id, doneWith(3), Moment + Millis(12), "10.0.0.6:6379"));
        const AuditEntry entry = read().at(0);
        QCOMPARE(entry.id, *id);
        QCOMPARE(entry.begunAt, std::optional(Moment));
        QCOMPARE(entry.user, auditUser());
        QCOMPARE(entry.host, auditHost());
        QCOMPARE(entry.process, std::optional<std::int64_t>(QCoreApplication::applicationPid()));
        QCOMPARE(entry.action, std::string(nameOf(AuditAction::ForceRelease)));
        QCOMPARE(entry.endpoint, std::string("10.0.0.5:6379"));
        QCOMPARE(entry.lock, std::string("inventory"));
        QCOMPARE(entry.kind, std::string("readWrite"));
        QCOMPARE(entry.expected, std::vector{ Reader });
        QVERIFY(entry.onlyThese);
        QCOMPARE(entry.reason, std::string("stuck"));
        QCOMPARE(entry.lines.size(), 2);
        QVERIFY(entry.outcome);
        QCOMPARE(entry.outcome->at, std::optional(Moment + Millis(12)));
        QCOMPARE(entry.outcome->endpoint, std::string("10.0.0.6:6379"));
        QCOMPARE(entry.outcome->found, doneWith(3).found);
        QVERIFY(entry.outcome->published);
        QCOMPARE(stateOf(entry, Moment), AuditState::Done);
    }

    /// Of independent servers, where one was lost.
    void readsWhoWasNotAsked()
    {
        AuditLog log(file());
        QVERIFY(log.begin(release("one"), "10.0.0.5:6379", Moment, { "10.0.0.6:6379", "/run/re\xff.sock" }));
        QVERIFY(log.begin(release("one"), "10.0.0.5:6379", Moment));
        QCOMPARE(read().at(0).notAsked, (std::vector<std::string>{ "10.0.0.6:6379", "/run/re\xff.sock" }));
        QCOMPARE(read().at(1).notAsked, std::vector<std::string>());
        QVERIFY(read().at(1).lines.front().find("notAsked") == std::string::npos);
    }

    /// Records of earlier versions have none.
    void readsTheConnectionIfThereIsOne()
    {
        AuditLog(file(), { "bill\xffing", "PROD" }).begin(release("one"), "there", Moment).value();
        AuditLog(file()).begin(release("two"), "there", Moment).value();
        QVERIFY(read().at(0).connection == AuditedConnection({ "bill\xffing", "PROD" }));
        QVERIFY(read().at(1).connection == AuditedConnection());
    }

    /// Records of earlier versions do not have it.
    void readsWhetherItWasHeldOrWaitedAnew()
    {
        AuditLog log(file());
        CommandOutcome outcome;
        for (const bool isAnew : { false, true }) {
            outcome.isAnew = isAnew;
            const auto id = log.begin(DropWaiter{ "a", Reader.owner, "r" }, "there", Moment);
            QVERIFY(log.end(*id, outcome, Moment));
        }
        QVERIFY(!read().at(0).outcome->isAnew);
        QVERIFY(read().at(1).outcome->isAnew);
        QCOMPARE(stateOf(read().at(1), Moment), AuditState::Refused);
    }

    void readsWhenTheLockEnded()
    {
        AuditLog log(file());
        ForceRelease command = release("one");
        command.end = SeenEnd{};
        CommandOutcome outcome;
        outcome.isAnew = true;
        outcome.endsAt = Moment + Millis(45'000);
        QVERIFY(log.end(log.begin(command, "there", Moment).value(), outcome, Moment));
        QVERIFY(log.end(log.begin(release("two"), "there", Moment).value(), CommandOutcome{}, Moment));
        QVERIFY(read().at(0).seenEnd == AuditedEnd{});
        QVERIFY(read().at(0).outcome->foundEnd == AuditedEnd{ outcome.endsAt });
        QVERIFY(!read().at(1).seenEnd && !read().at(1).outcome->foundEnd);
    }

    /// Sent with the same error, it may have been carried out.
    void tellsWhatWasNotSentFromALostAnswer()
    {
        AuditLog log(file());
        const Error error{ ErrorCode::ConnectionClosed, "it went", "there" };
        QVERIFY(log.addUnsent(release("one"), "there", Moment, {}, error, Moment));
        QVERIFY(log.end(log.begin(release("two"), "there", Moment).value(), tl::unexpected(error), Moment));
        QCOMPARE(stateOf(read().at(0), Moment), AuditState::Failed);
        QCOMPARE(stateOf(read().at(1), Moment), AuditState::AnswerLost);
    }

    void readsEveryKindOfAction()
    {
        AuditLog log(file());
        QVERIFY(log.begin(SetTtl{ "a", Kind::Fair, { Reader }, Millis(60'000), "r" }, "there", Moment));
        QVERIFY(log.begin(DropWaiter{ "a", Reader.owner, "r" }, "there", Moment));
        QVERIFY(log.begin(ReturnPermit{ "a", "0123", "r" }, "there", Moment));
        const auto entries = read();
        QCOMPARE(entries.at(0).ttl, std::optional(Millis(60'000)));
        QCOMPARE(entries.at(1).waiter, std::optional(Reader.owner));
        QCOMPARE(entries.at(2).permit, std::optional<std::string>("0123"));
        for (std::size_t i = 0; i < entries.size(); ++i)
            QCOMPARE(entries[i].number, i);
    }

    /// However long a client waits: it may still get the lock.
    void readsWhatWasDoneByHand()
    {
        AuditLog log(file());
        const HandDeed deed{ .action = AuditAction::LockByHand,
            .lock = "a\xff",
            .kind = Kind::ReadWrite,
            .client = Reader,
            .ttl = Millis(5'000) };
        const auto id = log.begin(deed, "there/3", Moment);
        const AuditEntry waits = read().at(0);
        QCOMPARE(waits.action, std::string("lockByHand"));
        QCOMPARE(waits.lock, std::string("a\xff"));
        QCOMPARE(waits.kind, std::string("readWrite"));
        QCOMPARE(waits.endpoint, std::string("there/3"));
        QCOMPARE(waits.byHand, std::optional(Reader));
        QCOMPARE(waits.ttl, std::optional(Millis(5'000)));
        QCOMPARE(stateOf(waits, Moment + std::chrono::hours(1)), AuditState::UnderWay);
        QVERIFY(log.endByHand(*id, true, Moment));
        QCOMPARE(stateOf(read().at(0), Moment), AuditState::Done);
        QVERIFY(read().at(0).outcome->found.empty());
    }

    void keepsBytesThatAreNoText()
    {
        AuditLog log(file());
        const std::string strange = "a\xff\xfe\n\u202e=";
        const auto id = log.begin(release(strange, strange), "there", Moment);
        QVERIFY(log.end(*id, failure(ErrorCode::ServerOther, strange, "there"), Moment));
        QCOMPARE(read().at(0).lock, strange);
        QCOMPARE(read().at(0).reason, strange);
        QCOMPARE(read().at(0).outcome->error, "there: " + strange);
    }

    void isTheSameInPiecesOfAnySize()
    {
        AuditLog log(file());
        const auto first = log.begin(release("one"), "there", Moment);
        QVERIFY(log.begin(release("two\xff"), "there", Moment));
        QVERIFY(log.end(*first, doneWith(1), Moment));
        const std::string bytes = content() + "nonsense\n\n" + content();
        const auto whole = parsed(bytes, bytes.size());
        QCOMPARE(whole.size(), 4);
        for (std::size_t piece = 1; piece < bytes.size(); ++piece) {
            const auto entries = parsed(bytes, piece);
            QCOMPARE(entries.size(), whole.size());
            for (std::size_t i = 0; i < whole.size(); ++i)
                QVERIFY2(*entries[i] == *whole[i], qPrintable(QString::number(piece)));
        }
    }

    void tellsWhatIsKnownOfAnAction_data()
    {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<AuditState>("state");
        QTest::newRow("not done") << ErrorCode::PermissionDenied << AuditState::Failed;
        QTest::newRow("nobody there") << ErrorCode::ConnectionRefused << AuditState::Failed;
        QTest::newRow("no answer") << ErrorCode::ReplyTimeout << AuditState::AnswerLost;
        QTest::newRow("lost") << ErrorCode::ConnectionClosed << AuditState::AnswerLost;
    }
    void tellsWhatIsKnownOfAnAction()
    {
        QFETCH(const ErrorCode, code);
        QFETCH(const AuditState, state);
        AuditLog log(file());
        const auto id = log.begin(release("a"), "there", Moment);
        QVERIFY(log.end(*id, failure(code, "x", "there"), Moment));
        QCOMPARE(stateOf(read().at(0), Moment), state);
    }

    void waitsForAnOutcomeBeforeItSaysInterrupted()
    {
        AuditLog log(file());
        QVERIFY(log.begin(release("a"), "there", Moment));
        const AuditEntry entry = read().at(0);
        QCOMPARE(stateOf(entry, Moment + Millis(1'000)), AuditState::UnderWay);
        QCOMPARE(stateOf(entry, Moment - Millis(1'000)), AuditState::UnderWay); // the clock of another computer
        QCOMPARE(stateOf(entry, Moment + Millis(60'000)), AuditState::Interrupted);
    }

    void countsWhatIsDamaged()
    {
        append("nonsense\n{\"phase\":\"outcome\",\"id\":\"nobody's\"}\n{\"phase\":7}\n[1]\n\n");
        AuditReader reader(file());
        const auto step = reader.read(AtOnce);
        QVERIFY(step && step->news.begun.empty());
        QCOMPARE(reader.damagedLines(), 4);
    }

    void takesNoFieldOfAnotherTypeForWhatItIsNot()
    {
        append(R"({"id":"1","phase":"intent","at":7,"lock":["x"],"pid":"12","expected":"x","onlyThese":1,)"
               R"("ttlMs":1.5,"waiter":[],"lockBase64":{},"user":null})"
               "\n");
        const AuditEntry entry = read().at(0);
        QVERIFY(!entry.begunAt && !entry.process && !entry.ttl && !entry.waiter && !entry.onlyThese);
        QVERIFY(entry.lock.empty() && entry.expected.empty() && entry.user.empty());
    }

    void goesOnWhereItStopped()
    {
        AuditLog log(file());
        AuditReader reader(file());
        const auto id = log.begin(release("one"), "there", Moment);
        const auto first = reader.read(AtOnce);
        QVERIFY(first && first->restarted && !first->hasMore);
        QCOMPARE(first->news.begun.size(), 1);
        const AuditEntryPtr before = first->news.begun.front();
        QVERIFY(log.end(*id, doneWith(1), Moment));
        QVERIFY(log.begin(release("two"), "there", Moment));
        const auto second = reader.read(AtOnce);
        QVERIFY(second && !second->restarted);
        QCOMPARE(second->news.begun.size(), 1);
        QCOMPARE(second->news.begun.front()->lock, std::string("two"));
        QCOMPARE(second->news.ended.size(), 1);
        QCOMPARE(second->news.ended.front()->number, 0);
        QVERIFY(second->news.ended.front()->outcome);
        QVERIFY(!before->outcome); // others have it: it does not change
        QVERIFY(reader.read(AtOnce)->news.begun.empty());
    }

    void waitsForTheRestOfALine()
    {
        AuditLog(file()).begin(release("one"), "there", Moment).value();
        const std::string line = content();
        QFile::remove(file());
        AuditReader reader(file());
        append(line.substr(0, 40));
        QVERIFY(reader.read(AtOnce)->news.begun.empty());
        append(line.substr(40));
        QCOMPARE(reader.read(AtOnce)->news.begun.size(), 1);
        QCOMPARE(reader.damagedLines(), 0);
    }

    void beginsAnewWithAnotherFile_data()
    {
        QTest::addColumn<QString>("how");
        for (const char *how : { "replaced", "cut", "written over", "written over, longer" })
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void beginsAnewWithAnotherFile()
    {
        QFETCH(const QString, how);
        AuditLog(file()).begin(release("old"), "there", Moment).value();
        AuditReader reader(file());
        QCOMPARE(reader.read(AtOnce)->news.begun.size(), 1);
        AuditLog(other()).begin(release("new"), "there", Moment).value();
        if (how == u"written over, longer")
            AuditLog(other()).begin(release("newer"), "there", Moment).value();
        QFile source(other());
        QVERIFY(source.open(QIODevice::ReadOnly));
        const QByteArray bytes = source.readAll();
        if (how == u"replaced") {
            QFile::remove(file());
            QVERIFY(source.rename(file()));
        } else {
            QFile target(file());
            QVERIFY(target.open(QIODevice::WriteOnly | QIODevice::Truncate));
            target.write(how == u"cut" ? QByteArray() : bytes);
            QVERIFY(QFile::remove(other()));
        }
        const auto step = reader.read(AtOnce);
        QVERIFY(step && step->restarted);
        QCOMPARE(step->news.begun.empty(), how == u"cut");
        if (how != u"cut")
            QCOMPARE(step->news.begun.front()->lock, std::string("new"));
    }

    void readsTheEndOfALongOne()
    {
        AuditLog log(file());
        const auto first = log.begin(release("first"), "there", Moment);
        for (int i = 0; i < 50; ++i)
            QVERIFY(log.begin(release("lock" + std::to_string(i)), "there", Moment));
        QVERIFY(log.end(*first, doneWith(1), Moment));
        AuditReader reader(file(), 4'000);
        std::vector<AuditEntryPtr> entries;
        for (bool hasMore = true; hasMore;) {
            const auto step = reader.read(100);
            QVERIFY(step);
            hasMore = step->hasMore;
            addNews(entries, step->news);
        }
        QVERIFY(!entries.empty() && entries.size() < 20);
        QCOMPARE(entries.back()->lock, std::string("lock49"));
        QCOMPARE(entries.front()->number, 0);
        QCOMPARE(reader.passedOver(), QFileInfo(file()).size() - 4'000);
        QCOMPARE(reader.damagedLines(), 0); // neither half a line nor an outcome of what was not read
    }

    void keepsNothingOfALineWithoutEnd()
    {
        const std::string much(1 << 20, 'x');
        AuditParser parser;
        for (int i = 0; i < 20; ++i)
            QVERIFY(parser.take(much).begun.empty());
        QCOMPARE(parser.damagedLines(), 1);
        AuditLog(file()).begin(release("next"), "there", Moment).value();
        QCOMPARE(parser.take("\n" + content()).begun.size(), 1);
        QCOMPARE(parser.damagedLines(), 1);
    }

    void saysWhyItCannotBeRead()
    {
        const auto missing = AuditReader(file()).read(AtOnce);
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::FileFailed);
        QVERIFY(QString::fromStdString(missing.error().context).contains(file()));
        QVERIFY(!AuditReader(m_folder.path()).read(AtOnce));
    }

    void followsTheFile()
    {
        AuditFollower follower;
        Told told(follower);
        const QString later = m_folder.filePath(u"made/later/log.jsonl"_s);
        follower.follow(later);
        QTRY_VERIFY(told.reports > 0);
        QVERIFY(!told.last.isThere && !told.last.error);
        QVERIFY(QDir().mkpath(QFileInfo(later).path()));
        const auto id = AuditLog(later).begin(release("one"), "there", Moment);
        QTRY_COMPARE(told.entries.size(), 1);
        QVERIFY(AuditLog(later).end(*id, doneWith(1), Moment));
        QTRY_VERIFY(told.entries.front()->outcome);

        follower.rest();
        AuditFollower awake;
        Told heard(awake);
        awake.follow(later);
        QTRY_COMPARE(heard.entries.size(), 1);
        AuditLog(later).begin(release("two"), "there", Moment).value();
        QTRY_COMPARE(heard.entries.size(), 2);
        QCOMPARE(told.entries.size(), 1);
        follower.follow(later);
        QTRY_COMPARE(told.entries.size(), 2);

        follower.stop();
        told.entries.clear();
        follower.follow(later);
        QTRY_COMPARE(told.entries.size(), 2);

        QVERIFY(QFile::remove(later));
        QTRY_VERIFY(!told.last.isThere && told.entries.empty());
        AuditLog(later).begin(release("three"), "there", Moment).value();
        QTRY_COMPARE(told.entries.size(), 1);

        AuditLog(file()).begin(release("of another file"), "there", Moment).value();
        follower.follow(file());
        QTRY_COMPARE(told.entries.front()->lock, std::string("of another file"));
        QCOMPARE(told.entries.size(), 1);
    }

    void tellsThatItCannotBeRead()
    {
        AuditFollower follower;
        Told told(follower);
        follower.follow(m_folder.path());
        QTRY_VERIFY(told.last.error);
        QVERIFY(told.last.isThere);
    }

    void readsAHugeOneInPieces()
    {
        // Few long lines are read as many short ones are, and sooner.
        AuditLog(file()).begin(release("one", std::string(60'000, 'r')), "there", Moment).value();
        const std::string line = content();
        const auto lines
            = static_cast<std::int64_t>(3 * AuditFollower::Most / 2) / static_cast<std::int64_t>(line.size());
        std::string block;
        for (std::int64_t i = 0; i < lines; ++i)
            block += line;
        append(block);
        AuditFollower follower;
        Told told(follower);
        follower.follow(file());
        QTRY_VERIFY_WITH_TIMEOUT(told.reports > 0 && !told.last.isReading, 60'000);
        QVERIFY(told.reports > 10);
        QCOMPARE(told.last.passedOver, QFileInfo(file()).size() - AuditFollower::Most);
        QVERIFY(static_cast<std::int64_t>(told.entries.size()) > lines / 2);
        QCOMPARE(told.last.damagedLines, 0);
    }

private:
    QString file() const { return m_folder.filePath(u"log.jsonl"_s); }
    QString other() const { return m_folder.filePath(u"other.jsonl"_s); }
    void append(const std::string &bytes) const
    {
        QFile stored(file());
        QVERIFY(stored.open(QIODevice::WriteOnly | QIODevice::Append));
        stored.write(QByteArray::fromStdString(bytes));
    }
    std::string content() const
    {
        QFile stored(file());
        return stored.open(QIODevice::ReadOnly) ? stored.readAll().toStdString() : std::string();
    }
    std::vector<AuditEntry> read() const
    {
        std::vector<AuditEntry> entries;
        const auto step = AuditReader(file()).read(AtOnce);
        for (const AuditEntryPtr &entry : step ? step->news.begun : std::vector<AuditEntryPtr>())
            entries.push_back(*entry);
        return entries;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(AuditReaderTest)
#include "tst_audit_reader.moc"
