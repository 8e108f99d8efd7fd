// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/deployment.h"
#include "ui/text/action_text.h"
#include "ui/text/audit_text.h"
#include "ui/text/client_names.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/node_text.h"
#include "ui/text/right_text.h"
#include "ui/text/suspect_text.h"

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace lockui;

namespace {

SourceStatus heardBy(Feed feed, FeedReason reason)
{
    SourceStatus status;
    status.feed = feed;
    status.feedReason = std::move(reason);
    return status;
}

/// Marks what passes it.
class Translator : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char *, const char *source, const char *, int) const override
    {
        return u'§' + QString::fromUtf8(source);
    }
};

} // namespace

/// Values of lockcore in words, with the plurals of English.
class TestTexts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysThatAGhostIsNotWoken()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        const ClientNames names(settings);
        LockState lock;
        lock.kind = Kind::Fair;
        lock.waiters.resize(2);
        lock.waiters.front().owner = { "7f21aa09", "7" };
        const QString next
            = QStringLiteral("Only the first of the 2 in the fair queue; the others keep their places:\n7f21aa09:7");
        QCOMPARE(wokenText(lock, names), next);
        lock.waiters.front().subscribed = true;
        lock.waiters.back().subscribed = false;
        QCOMPARE(wokenText(lock, names), next);
        lock.waiters.front().subscribed = false;
        lock.waiters.back().subscribed = true;
        const QString ghost = QStringLiteral("\nThe first in the queue seems to be a ghost: nobody listens for its "
                                             "turn. Until it is dropped or its time-out has passed, nobody else gets "
                                             "the lock.");
        QCOMPARE(wokenText(lock, names), next + ghost);
        lock.waiters.back().subscribed = false; // dropped, or over, the first alone helps nobody
        QCOMPARE(wokenText(lock, names),
            next
                + QStringLiteral("\nThe first 2 in the queue seem to be ghosts: nobody listens for their turns. Until "
                                 "they are dropped or the last of their time-outs has passed, nobody else gets the "
                                 "lock."));
        lock.waiters.pop_back();
        QCOMPARE(wokenText(lock, names), QStringLiteral("The only one in the fair queue:\n7f21aa09:7") + ghost);
    }

    void saysWhatWasSeen_data()
    {
        QTest::addColumn<Observation>("seen");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const Observation &seen, const char *words) {
            QTest::newRow(name) << seen << QString::fromUtf8(words);
        };
        row("never ends", { .what = Observed::NeverExpires },
            "It has no time to live, so it stays held until somebody releases it.");
        row("never ends, one waits", { .what = Observed::NeverExpires, .waiting = 1, .areClients = true },
            "It has no time to live, so it stays held until somebody releases it while 1 client instance waits.");
        row("never ends, two wait", { .what = Observed::NeverExpires, .waiting = 2 },
            "It has no time to live, so it stays held until somebody releases it while 2 waiters wait.");
        row("late",
            { .what = Observed::RenewalLate,
                .since = Millis{ 5'000 },
                .left = Millis{ 15'000 },
                .usual = Millis{ 30'000 } },
            "Its watchdog should have renewed it 5.0 s ago; 15.0 s of 30.0 s are left.");
        row("held long",
            { .what = Observed::HeldLong,
                .since = Millis{ 80'000 },
                .usual = Millis{ 200 },
                .number = 1,
                .waiting = 2,
                .isAtLeast = true,
                .areClients = true },
            "It has been held for at least 1 m 20 s, and the lock was renewed 1 time while 2 client instances wait; 99 "
            "of 100 of its "
            "holds ended within 0.2 s: its client may renew it for a thread that has long gone on.");
        row("too few servers", { .what = Observed::OnTooFewServers, .number = 1, .former = 3 },
            "No holder has it on more than 1 of 3 servers, which is no RedLock: an attempt has not given back what it "
            "got, or the "
            "hold was lost on the others, where somebody else can take it.");
        row("queue", { .what = Observed::QueueNotServed, .left = Millis{ -42 }, .number = 1 },
            "Nobody holds it or takes it, though 1 waiter is queued; the time-out of the first ran out 42 ms ago.");
        row("head gone", { .what = Observed::WaiterGone, .left = Millis{ 244'000 }, .number = 1 },
            "It is number 1 in the queue, but nobody listens on its channel; it blocks the queue for up to 4 m 04 s.");
        row("first of the ghosts",
            { .what = Observed::WaiterGone,
                .left = Millis{ 197'000 },
                .usual = Millis{ 497'000 },
                .number = 1,
                .former = 2 },
            "It is number 1 in the queue, but nobody listens on its channel; its time-out is 3 m 17 s away, and the "
            "first 2, all ghosts, block the queue for up to 8 m 17 s.");
        row("ghost whose time is over",
            { .what = Observed::WaiterGone,
                .left = Millis{ -3'000 },
                .usual = Millis{ 300'000 },
                .number = 1,
                .former = 2 },
            "It is number 1 in the queue, but nobody listens on its channel; its time-out ran out 3.0 s ago, and the "
            "first 2, all ghosts, block the queue for up to 5 m 00 s.");
        row("ghost before one for ever",
            { .what = Observed::WaiterGone, .left = Millis{ 9'000 }, .number = 1, .former = 2 },
            "It is number 1 in the queue, but nobody listens on its channel; its time-out is 9.0 s away, but one of "
            "the first 2, all ghosts, has none: nobody clears it away.");
        row("queue of ghosts",
            { .what = Observed::QueueNotServed,
                .left = Millis{ 197'000 },
                .usual = Millis{ 497'000 },
                .number = 3,
                .former = 2 },
            "Nobody holds it or takes it, though 3 waiters are queued; the first 2 keep everybody else from it for "
            "another 8 m 17 s.");
        row("queue of ghosts whose time is over",
            { .what = Observed::QueueNotServed,
                .left = Millis{ -9'000 },
                .usual = Millis{ -2'000 },
                .number = 2,
                .former = 2 },
            "Nobody holds it or takes it, though 2 waiters are queued; the time-outs of the first 2 ran out, the last "
            "2.0 s ago.");
        row("queue with a ghost for ever",
            { .what = Observed::QueueNotServed, .left = Millis{ 9'000 }, .number = 2, .former = 2 },
            "Nobody holds it or takes it, though 2 waiters are queued; one of the first 2 has no time-out, so nobody "
            "clears it away.");
        row("listened", { .what = Observed::PermitsFree, .since = Millis{ 9'000 }, .number = 3, .permits = 1 },
            "3 client instances have listened for at least 9.0 s though 1 permit could be taken: a message was missed, "
            "or each wants more than that.");
        row("elsewhere",
            { .what = Observed::NobodyHolds, .since = Millis{ 9'000 }, .number = 1, .mayBeElsewhere = true },
            "1 client instance has listened for at least 9.0 s, but nobody holds the lock: a message was missed, and "
            "they sleep on. Or they listen for one of the same name in another database: channels know none.");
        row("recorded before", { .recorded = "An \x1b old sentence." }, "An \\x1b old sentence.");
    }
    void saysWhatWasSeen()
    {
        QFETCH(const Observation, seen);
        QTEST(observationText(seen), "words");
    }

    void saysWhyAFeedIsInUse_data()
    {
        QTest::addColumn<Feed>("feed");
        QTest::addColumn<FeedReason>("reason");
        QTest::addColumn<QString>("words");
        QTest::newRow("best") << Feed::ClientTracking << FeedReason()
                              << QStringLiteral("The server tells of each change (client tracking).");
        QTest::newRow("none") << Feed::None << FeedReason() << QString();
        QTest::newRow("detours")
            << Feed::Rereading
            << FeedReason{ .detours
                   = { { FeedObstacle::TrackingFails, "ERR \x1b" }, { FeedObstacle::NotificationsOff } },
                   .mayMiss = Millis{ 3'000 } }
            << QStringLiteral(
                   "Known locks are read again and again, new ones are found by sweeps only, since CLIENT "
                   "TRACKING does not work here (ERR \\x1b), and the server has keyspace notifications off. A "
                   "lock held for less than 3 s may not be seen.");
        QTest::newRow("limited")
            << Feed::ClientTracking
            << FeedReason{ .isByHand = true,
                   .scope = { FeedScope::Extent::Prefixes, { "order:", "stock:" }, false, 5'000 },
                   .node = "n2" }
            << QStringLiteral(
                   "n2: The server tells of each change (client tracking), as chosen by hand of keys that "
                   "begin with order:, stock:, since others are written about 5000 times a second. New locks "
                   "with other names are found by sweeps only.");
        QTest::newRow("deaf") << Feed::Rereading
                              << FeedReason{ .detours = { { FeedObstacle::AnnouncementsLost, "Connection refused" } } }
                              << QStringLiteral("Known locks are read again and again, since the connection for "
                                                "announcements is lost (Connection refused).");
    }
    void saysWhyAFeedIsInUse()
    {
        QFETCH(const Feed, feed);
        QFETCH(const FeedReason, reason);
        QTEST(feedReasonText(heardBy(feed, reason)), "words");
    }

    void saysWhatARightIsMissingFor()
    {
        QCOMPARE(missingRightText({ Right::Scan }),
            QStringLiteral("SCAN is refused to this user: locks that exist already cannot be found. The ACL rule +scan "
                           "permits it."));
        QCOMPARE(missingRightText({ Right::Tracking, "ERR no", { "n1", "n2" } }),
            QStringLiteral("n1, n2: CLIENT TRACKING does not work here: changes are not announced, so locks are read "
                           "again and again, and new ones are found late. The server said: ERR no"));
    }

    void saysWhoAnswered()
    {
        ConnectionReport report;
        report.topology = Topology::Nodes;
        report.servers = { { "a:1", {}, "master" }, { "b:1", Error{ ErrorCode::ConnectionRefused, "no", {} }, {} } };
        QCOMPARE(answersText(report), QStringLiteral("1 of 2 servers answer"));
        QCOMPARE(answerText(report.servers.front()), QStringLiteral("a:1 answers (master)"));
        QCOMPARE(answerText(report.servers.back()), QStringLiteral("b:1 does not answer: no"));
        QVERIFY(!isAllReached(report));
        report.servers.resize(1);
        QCOMPARE(answersText(report), QStringLiteral("1 of 1 server answers"));
        QVERIFY(isAllReached(report));
        report.topology = Topology::Cluster; // whose other masters are not known
        QVERIFY(!isAllReached(report));
        report.servers.front().slots = 16'384;
        QVERIFY(isAllReached(report));
    }

    void saysHowAnActionEnded()
    {
        CommandOutcome outcome;
        const ForceRelease release{ "a\nb", Kind::Reentrant, {}, {}, false };
        QCOMPARE(refusalText(release, outcome), QStringLiteral("nothing was changed: it is held by nobody"));
        outcome.notAsked = { "n2" };
        QVERIFY(mayBeWhereNotAsked(release, outcome));
        QCOMPARE(refusalText(release, outcome),
            QStringLiteral("nothing was changed: nobody holds it on the servers that were asked"));
        outcome.found.resize(2);
        for (HolderReading &each : outcome.found)
            each.owner = { "c", "1" };
        outcome.published = true;
        QCOMPARE(successText(release, outcome, "n1"),
            QStringLiteral("released: a\\x0ab on n1, was held by c:1; the message that wakes who waits was sent"));
    }

    /// Nobody knows what a server has that was never looked through.
    void tellsTheNumberOfLocksOnlyWhereItIsKnown()
    {
        NodeStatus node;
        node.node = "10.0.0.1:6379";
        node.status.server = node.node;
        node.status.phase = SourcePhase::Failed;
        QCOMPARE(nodeText(node), QStringLiteral("10.0.0.1:6379 · failed · locks not known"));
        node.status.phase = SourcePhase::Connecting;
        QCOMPARE(nodeText(node), QStringLiteral("10.0.0.1:6379 · connecting · locks not known"));
        node.status.phase = SourcePhase::Live; // the keys may not be scanned, and some are known all the same
        node.locks = 2;
        QCOMPARE(nodeText(node), QStringLiteral("10.0.0.1:6379 · live · ≥ 2 locks"));
        node.status.lastSweep.emplace();
        QCOMPARE(nodeText(node), QStringLiteral("10.0.0.1:6379 · live · 2 locks"));
        node.status.phase = SourcePhase::Stale; // as it was
        node.locks = 0;
        QCOMPARE(nodeText(node), QStringLiteral("10.0.0.1:6379 · stale · 0 locks"));
    }

    void saysAlikeThatALockWasNotAcquiredByHand()
    {
        AuditEntry entry;
        entry.action = nameOf(AuditAction::LockByHand);
        entry.byHand.emplace();
        entry.outcome.emplace().end = nameOf(AuditEnd::Refused);
        QCOMPARE(auditOutcomeText(entry, WallTime(), nullptr), QStringLiteral("not acquired"));
        QCOMPARE(auditStateText(entry, WallTime()), QStringLiteral("not acquired"));
        entry.action = nameOf(AuditAction::UnlockByHand);
        QCOMPARE(auditOutcomeText(entry, WallTime(), nullptr), QStringLiteral("refused: it was not held by then"));
        QCOMPARE(auditStateText(entry, WallTime()), QStringLiteral("refused"));
    }

    /// It was seen before that the holders are others: what was found stands in the error.
    void callsARefusalOneThatWasNotSent()
    {
        AuditEntry entry;
        entry.action = nameOf(AuditAction::ForceRelease);
        entry.endpoint = "redis-nodes://a:1,b:1";
        AuditOutcome &outcome = entry.outcome.emplace();
        outcome.end = nameOf(AuditEnd::Refused);
        outcome.code = nameOf(ErrorCode::HolderChanged);
        outcome.error = "force release: nothing was changed: it is held by c:1 (a:1), and expected was d:1";
        outcome.isUnsent = true;
        QCOMPARE(auditStateText(entry, WallTime()), QStringLiteral("refused"));
        QCOMPARE(auditOutcomeText(entry, WallTime(), nullptr),
            QStringLiteral("refused, not sent: nothing was changed: it is held by c:1 (a:1), and expected was d:1"));
        outcome.end = nameOf(AuditEnd::Failed);
        outcome.code = nameOf(ErrorCode::ConnectionRefused);
        QCOMPARE(auditStateText(entry, WallTime()), QStringLiteral("not sent"));
    }

    /// The holders have nothing to do with it.
    void doesNotCallItAChangeOfHoldersThatAQueueIsOfAnotherLock()
    {
        AuditEntry entry;
        entry.action = nameOf(AuditAction::DropWaiter);
        entry.waiter.emplace();
        AuditOutcome &outcome = entry.outcome.emplace();
        outcome.end = nameOf(AuditEnd::Failed);
        outcome.code = nameOf(ErrorCode::HolderChanged);
        outcome.isUnsent = true;
        QCOMPARE(auditStateText(entry, WallTime()), QStringLiteral("not sent"));
        QCOMPARE(auditStateExplanation(entry, WallTime()), QStringLiteral("Nothing was sent."));
        const Error error = errorOf(ErrorCode::HolderChanged, { Phrase::QueueOfAnother, { "other" } }, {});
        QCOMPARE(errorText(error), QStringLiteral("Who stands in this queue waits for another lock."));
    }

    /// Of independent servers one that was not seen may have what the others do not.
    void leavesOpenWhatAServerHasThatWasNotAsked()
    {
        AuditEntry entry;
        entry.action = nameOf(AuditAction::ReturnPermit);
        entry.permit = "p";
        entry.notAsked = { "n2", "n3" };
        entry.outcome.emplace().end = nameOf(AuditEnd::Refused);
        QCOMPARE(auditOutcomeText(entry, WallTime(), nullptr),
            QStringLiteral("refused: nobody held the permit by then, or its lease was another; not asked: n2, n3"));
        AuditOutcome &outcome = *entry.outcome;
        outcome.end = nameOf(AuditEnd::Failed);
        outcome.code = nameOf(ErrorCode::NotHeld);
        outcome.isUnsent = true;
        QCOMPARE(auditStateExplanation(entry, WallTime()),
            QStringLiteral("Nothing was sent. None of the servers that were seen had it."));
        const Error error = errorOf(ErrorCode::NotHeld, { Phrase::NowhereAsSeen }, {});
        QCOMPARE(errorText(error), QStringLiteral("None of the servers that are seen has it. Nothing was changed."));
    }

    /// Whatever an error says and whatever was tried is told in the language of the person; only what a server or the
    /// system said stays as it came.
    void tellsErrorsInTheLanguageOfThePerson()
    {
        Translator translator;
        QCoreApplication::installTranslator(&translator);
        QStringList untold;
        for (const auto &row : Phrases) {
            if (row.value != Phrase::Nothing && row.value != Phrase::Words && !phraseText({ row.value }).contains(u'§'))
                untold << QString::fromLatin1(row.text);
        }
        QString url = errorDetail(parseDeployment("http://a").error());
        Error lost = errorOf(ErrorCode::ReplyTimeout, { Phrase::NoReplyWithin, { "50" } });
        addBefore(lost, { Phrase::MaybeAcquired });
        addTried(lost, { Phrase::Acquiring, { "stock" } });
        addTried(lost, { Phrase::AcquiringLocks, { "2" } });
        const QString acquiring = errorDetail(lost);
        QCoreApplication::removeTranslator(&translator);
        QCOMPARE(untold, QStringList());
        QVERIFY2(
            url.remove(u'§').startsWith(QStringLiteral("reading the URL: unknown scheme 'http': known forms are ")),
            qUtf8Printable(url));
        QCOMPARE(acquiring,
            QStringLiteral(
                "§§acquiring 2 locks as one, §acquiring stock: §it is unknown whether it was acquired, and if "
                "so it is given back: §no reply within 50 ms"));
        QCOMPARE(QString::fromStdString(toString(lost)), QString(acquiring).remove(u'§'));
    }

    void countsInEnglish()
    {
        QCOMPARE(locksText(0), QStringLiteral("0 locks"));
        QCOMPARE(locksText(1), QStringLiteral("1 lock"));
        QCOMPARE(locksText(8'412), QStringLiteral("8,412 locks"));
        QCOMPARE(subscribedText(1), QStringLiteral("1 client instance subscribed"));
    }
};

QTEST_GUILESS_MAIN(TestTexts)
#include "tst_texts.moc"
