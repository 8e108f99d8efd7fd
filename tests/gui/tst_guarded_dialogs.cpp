// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/bulk_release_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/return_permit_dialog.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/views/client_actions.h"

#include <QClipboard>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>

#include <algorithm>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

using Lock = std::shared_ptr<const LockState>;

const OwnerId First{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId Second{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "112" };

Lock lockWith(const OwnerId &holder, const std::vector<OwnerId> &waiters = {})
{
    auto lock = test::makeLock("job", ViewClock::steadyNow());
    lock->holders.front().owner = holder;
    lock->holders.front().since = Since{}; // of the same hold, however often it is asked for
    for (const OwnerId &owner : waiters) {
        Waiter waiter;
        waiter.owner = owner;
        lock->waiters.push_back(waiter);
    }
    return lock;
}

QPushButton *confirmButton(const QDialog &dialog)
{
    for (QPushButton *button : dialog.findChildren<QPushButton *>()) {
        if (button->property("role") == QStringLiteral("danger"))
            return button;
    }
    return nullptr;
}

bool says(const QDialog &dialog, const QString &text)
{
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        if (!label->isHidden() && label->text().contains(text))
            return true;
    }
    return false;
}

QLineEdit *fieldOf(const QDialog &dialog, const QString &name)
{
    for (QLineEdit *edit : dialog.findChildren<QLineEdit *>()) {
        if (edit->accessibleName().startsWith(name))
            return edit;
    }
    return nullptr;
}

QLineEdit *reasonOf(const QDialog &dialog) { return fieldOf(dialog, QStringLiteral("Reason")); }

QLineEdit *timeOf(const QDialog &dialog) { return fieldOf(dialog, QStringLiteral("Time to live")); }

SourceStatus statusOf(SourcePhase phase)
{
    SourceStatus status;
    status.phase = phase;
    return status;
}

} // namespace

class GuardedDialogs : public QObject {
    Q_OBJECT

    test::TestNames m_kept;
    ViewClock m_clock;
    ConnectionProfile m_profile;

    ActionPlace place(const QString &environment = {})
    {
        m_profile.environment = environment;
        return { m_profile, m_kept.names, m_clock };
    }

private Q_SLOTS:
    void setsTheTimeForThoseWhoWereSeen()
    {
        SetTtlDialog dialog(lockWith(First), place());
        QSignalSpy confirmed(&dialog, &GuardedDialog::confirmed);
        QVERIFY(!confirmButton(dialog)->isEnabled()); // without a reason
        reasonOf(dialog)->setText(QStringLiteral(" ticket 4711 "));
        timeOf(dialog)->setText(QStringLiteral("90"));
        confirmButton(dialog)->click();
        QCOMPARE(confirmed.size(), 1);
        const auto command = std::get<SetTtl>(confirmed.front().front().value<AdminCommand>());
        QCOMPARE(command.name, LockName("job"));
        QCOMPARE(command.ttl.count(), 90'000);
        QVERIFY((command.expected == std::vector<ExpectedHolder>{ { First, {} } }));
        QCOMPARE(command.reason, std::string("ticket 4711"));
        confirmButton(dialog)->click(); // sent is sent
        QCOMPARE(confirmed.size(), 1);
        QVERIFY(timeOf(dialog)->isReadOnly());
    }

    /// What is typed first is the time.
    void beginsWithTheTime()
    {
        SetTtlDialog dialog(lockWith(First), place());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QCOMPARE(dialog.focusWidget(), timeOf(dialog));
        QTest::keyClicks(dialog.focusWidget(), QStringLiteral("10m"));
        QCOMPARE(timeOf(dialog)->text(), QStringLiteral("10m"));
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
        QCOMPARE(dialog.focusWidget(), reasonOf(dialog));
    }

    void takesTheTimeInUnits_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("seconds"); // zero: it is none
        QTest::newRow("seconds") << QStringLiteral("45") << 45;
        QTest::newRow("with the unit") << QStringLiteral("45s") << 45;
        QTest::newRow("minutes") << QStringLiteral("10m") << 600;
        QTest::newRow("hours") << QStringLiteral("2 h") << 7'200;
        QTest::newRow("the longest") << QStringLiteral("24h") << 86'400;
        for (const char *other : { "", "0", "-5", "1.5h", "250ms", "1h30m", "25h", "99999999h", "abc" })
            QTest::addRow("'%s'", other) << QString::fromLatin1(other) << 0;
    }
    /// What is not understood stays as it was typed, and nothing is done with it.
    void takesTheTimeInUnits()
    {
        QFETCH(const QString, typed);
        QFETCH(const int, seconds);
        SetTtlDialog dialog(lockWith(First), place());
        QSignalSpy confirmed(&dialog, &GuardedDialog::confirmed);
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        reasonOf(dialog)->setText(QStringLiteral("why"));
        QVERIFY(confirmButton(dialog)->isEnabled());
        QLineEdit &field = *timeOf(dialog);
        field.setFocus();
        field.selectAll();
        QTest::keyClick(&field, Qt::Key_Delete);
        QTest::keyClicks(&field, typed);
        QTest::keyClick(&field, Qt::Key_Tab);
        QCOMPARE(field.text(), typed);
        QCOMPARE(confirmButton(dialog)->isEnabled(), seconds > 0);
        QCOMPARE(says(dialog, QStringLiteral("is no time to live")), seconds == 0);
        confirmButton(dialog)->click();
        QCOMPARE(confirmed.size(), seconds > 0 ? 1 : 0);
        if (seconds > 0)
            QCOMPARE(std::get<SetTtl>(confirmed.front().front().value<AdminCommand>()).ttl.count(), seconds * 1'000);
    }

    /// Alt and the letter of a button that cannot be pressed yet is no word of the reason.
    void altTypesNothingIntoTheReason()
    {
        ForceReleaseDialog dialog(lockWith(First), place());
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QLineEdit &field = *reasonOf(dialog);
        field.setFocus();
        QTest::keyClick(&field, 'q', Qt::AltModifier);
        QCOMPARE(field.text(), QString());
        QTest::keyClick(&field, 'q');
        QCOMPARE(field.text(), QStringLiteral("q"));
    }

    void namesTheDatabase()
    {
        m_profile.name = QStringLiteral("shop");
        m_profile.deployment.seeds.front().host = "redis-a";
        m_profile.deployment.seeds.front().database = 3;
        ForceReleaseDialog release(lockWith(First), place());
        QVERIFY(says(release, QStringLiteral("shop · redis-a:6379/3")));
        WritableDialog writable(m_profile);
        QVERIFY(says(writable, QStringLiteral("shop · redis-a:6379/3")));
        m_profile = {};
    }

    /// Of one server alone its node is the server itself.
    void namesTheServerOnce()
    {
        m_profile.deployment.seeds.front().host = "redis-a";
        const auto placeOf = [this](const std::string &node) -> QString {
            auto lock = std::make_shared<LockState>(*lockWith(First));
            lock->node = node;
            ForceReleaseDialog release(lock, place());
            release.show();
            const auto *label = test::saying<QLabel>(release, QStringLiteral("redis-a:6379"));
            return label ? label->text() : QString();
        };
        QCOMPARE(placeOf("redis-a:6379").count(QStringLiteral("redis-a")), 1);
        QVERIFY(placeOf("redis-b:6379").contains(QStringLiteral("node redis-b:6379")));
        m_profile.deployment.topology = lockcore::transport::Topology::Cluster; // of several servers any may have it
        QVERIFY(placeOf("redis-a:6379").contains(QStringLiteral("node redis-a:6379")));
        m_profile = {};
    }

    void isDisarmedByWhateverChanges()
    {
        SetTtlDialog dialog(lockWith(First), place());
        reasonOf(dialog)->setText(QStringLiteral("why"));
        QVERIFY(confirmButton(dialog)->isEnabled());
        dialog.setCurrent(lockWith(Second));
        QVERIFY(!confirmButton(dialog)->isEnabled());
        QVERIFY(says(dialog, QStringLiteral("holders changed")));
        dialog.setCurrent(lockWith(First));
        QVERIFY(confirmButton(dialog)->isEnabled());
        dialog.setCurrent(nullptr);
        QVERIFY(!confirmButton(dialog)->isEnabled());
        dialog.setCurrent(lockWith(First));
        dialog.setStatus(statusOf(SourcePhase::Stale));
        QVERIFY(!confirmButton(dialog)->isEnabled());
        dialog.setStatus(statusOf(SourcePhase::Live));
        QVERIFY(confirmButton(dialog)->isEnabled());
    }

    void tellsOfAWaiterOfALostServerAsOfThePast()
    {
        auto lock = std::make_shared<LockState>(*lockWith(First, { Second }));
        lock->waiters.front().subscribed = true;
        DropWaiterDialog dialog(lock, Second, place());
        QVERIFY(says(dialog, QStringLiteral("seems to be alive: it listens")));
        auto lost = statusOf(SourcePhase::Stale);
        lost.staleSince = m_clock.now() - Millis(5'000);
        dialog.setStatus(lost);
        QVERIFY(says(dialog, QStringLiteral("seemed to be alive when it was last seen: it listened")));
        QVERIFY(says(dialog, QStringLiteral("as it was 5.")));
    }

    void wantsTheNameTypedInProduction()
    {
        SetTtlDialog dialog(lockWith(First), place(QStringLiteral("PROD")));
        reasonOf(dialog)->setText(QStringLiteral("why"));
        QVERIFY(!confirmButton(dialog)->isEnabled());
        for (QLineEdit *edit : dialog.findChildren<QLineEdit *>()) {
            if (edit->placeholderText() == QStringLiteral("job"))
                edit->setText(QStringLiteral("job"));
        }
        QVERIFY(confirmButton(dialog)->isEnabled());
    }

    void saysWhereLettersOfANameLookLikeOthers()
    {
        auto lock = std::make_shared<LockState>(*lockWith(First));
        lock->name = "nightly-rep\xce\xbfrt"; // a Greek letter
        ForceReleaseDialog dialog(lock, place(QStringLiteral("PROD")));
        QVERIFY(says(dialog, QStringLiteral("nightly-rep\\u{03bf}rt")));
        QVERIFY(says(dialog, QStringLiteral("Letters of several alphabets look alike in this name")));
        reasonOf(dialog)->setText(QStringLiteral("why"));
        auto *name = test::named<QLineEdit>(dialog, QStringLiteral("Type the lock's name to confirm"));
        const auto mayRelease = [&](const QString &typed) {
            name->setText(typed);
            return confirmButton(dialog)->isEnabled();
        };
        QVERIFY(!mayRelease(QStringLiteral("nightly-report"))); // another lock
        QVERIFY(mayRelease(QStringLiteral("nightly-rep\\u{03bf}rt")));
        QVERIFY(mayRelease(QString::fromStdString(lock->name))); // as it was copied
        QVERIFY(!says(ForceReleaseDialog(lockWith(First), place()), QStringLiteral("alphabets")));
    }

    /// Nothing is no name that was typed.
    void wantsAlsoAnEmptyNameTyped()
    {
        auto lock = std::make_shared<LockState>(*lockWith(First));
        lock->name.clear();
        ForceReleaseDialog dialog(lock, place(QStringLiteral("PROD")));
        reasonOf(dialog)->setText(QStringLiteral("why"));
        QVERIFY(!confirmButton(dialog)->isEnabled());
        test::named<QLineEdit>(dialog, QStringLiteral("Type the lock's name to confirm"))
            ->setText(QStringLiteral("(empty name)"));
        QVERIFY(confirmButton(dialog)->isEnabled());
    }

    void dropsAWaiterOnlyWhileItWaits()
    {
        DropWaiterDialog dialog(lockWith(First, { Second }), Second, place());
        QSignalSpy confirmed(&dialog, &GuardedDialog::confirmed);
        QVERIFY(says(dialog, QStringLiteral("number 1 of 1 in the queue")));
        reasonOf(dialog)->setText(QStringLiteral("its pod is gone"));
        dialog.setCurrent(lockWith(First));
        QVERIFY(!says(dialog, QStringLiteral("number 1")));
        QVERIFY(!confirmButton(dialog)->isEnabled());
        QVERIFY(says(dialog, QStringLiteral("does not wait")));
        dialog.setCurrent(lockWith(Second, { Second })); // who holds it meanwhile does not matter
        confirmButton(dialog)->click();
        const auto command = std::get<DropWaiter>(confirmed.front().front().value<AdminCommand>());
        QVERIFY(command.waiter == Second);
        QCOMPARE(command.reason, std::string("its pod is gone"));
    }

    void dropsNobodyWhoLinedUpAnew()
    {
        auto seen = std::make_shared<LockState>(*lockWith(First, { Second }));
        seen->waiters.front().score = Millis(7);
        seen->waiters.front().since.exact = true;
        DropWaiterDialog dialog(seen, Second, place());
        reasonOf(dialog)->setText(QStringLiteral("why"));
        auto anew = std::make_shared<LockState>(*seen);
        anew->waiters.front().since.at += Millis(1);
        dialog.setCurrent(anew);
        QVERIFY(says(dialog, QStringLiteral("lined up again")));
        QVERIFY(!confirmButton(dialog)->isEnabled());
        dialog.setCurrent(seen);
        QSignalSpy confirmed(&dialog, &GuardedDialog::confirmed);
        confirmButton(dialog)->click();
        const auto command = std::get<DropWaiter>(confirmed.front().front().value<AdminCommand>());
        QVERIFY(command.seen && command.seen->ahead == 0 && command.seen->score == Millis(7) && !command.seen->isGhost);
        CommandOutcome outcome;
        outcome.isAnew = true;
        dialog.setOutcome(outcome);
        QVERIFY(says(dialog, QStringLiteral("lined up again")));

        seen->waiters.front().subscribed = false;
        DropWaiterDialog ghost(seen, Second, place());
        reasonOf(ghost)->setText(QStringLiteral("why"));
        QSignalSpy wanted(&ghost, &GuardedDialog::confirmed);
        confirmButton(ghost)->click();
        QVERIFY(std::get<DropWaiter>(wanted.front().front().value<AdminCommand>()).seen->isGhost);
    }

    /// Out of sight it may have stood there all the time: that its client lives is not known.
    void saysNotForSureThatAWaiterLinedUpAnewOutOfSight()
    {
        auto seen = std::make_shared<LockState>(*lockWith(First, { Second }));
        seen->waiters.front().since.exact = true;
        DropWaiterDialog dialog(seen, Second, place());
        reasonOf(dialog)->setText(QStringLiteral("why"));
        auto again = std::make_shared<LockState>(*seen);
        again->waiters.front().since = { seen->waiters.front().since.at + Millis(1), false };
        dialog.setCurrent(again);
        QVERIFY(says(dialog, QStringLiteral("It may have left the queue")));
        QVERIFY(!says(dialog, QStringLiteral("its client lives")));
        QVERIFY(!confirmButton(dialog)->isEnabled());
    }

    /// What one wants to know before one drops it.
    void saysWhyAWaiterIsThoughtDead()
    {
        const auto lockWithWaiter = [this](std::optional<bool> subscribed, Millis late) {
            auto lock = std::make_shared<LockState>(*lockWith(First, { Second }));
            lock->waiters.front().subscribed = subscribed;
            lock->waiters.front().deadline = m_clock.wallAt(m_clock.now()) - late;
            return lock;
        };
        DropWaiterDialog dialog(lockWithWaiter(false, Millis(90'500)), Second, place());
        QVERIFY(says(dialog, QStringLiteral("Its client seems to be gone: nobody listens on its own channel.")));
        QVERIFY(says(dialog, QStringLiteral("Its time in the queue was over 1 m 30 s ago.")));
        dialog.setCurrent(lockWithWaiter(true, Millis(-60'000)));
        QVERIFY(says(dialog, QStringLiteral("Its client seems to be alive")));
        QVERIFY(!says(dialog, QStringLiteral("Its time in the queue")));
        dialog.setCurrent(lockWithWaiter({}, Millis(-60'000)));
        QVERIFY(says(dialog, QStringLiteral("Whether its client is alive is not known")));
        dialog.setCurrent(lockWith(First));
        QVERIFY(!says(dialog, QStringLiteral("Its client")) && !says(dialog, QStringLiteral("Whether its client")));
    }

    void showsWhatTheServerFoundInstead()
    {
        DropWaiterDialog dialog(lockWith(First, { Second }), Second, place());
        reasonOf(dialog)->setText(QStringLiteral("why"));
        confirmButton(dialog)->click();
        CommandOutcome outcome;
        outcome.waiting.push_back({ First, {} });
        dialog.setOutcome(outcome);
        QVERIFY(says(dialog, QStringLiteral("nothing was changed")));
        QVERIFY(says(dialog, QStringLiteral("7f21aa09")));
        QVERIFY(confirmButton(dialog)->isEnabled()); // to try again
        confirmButton(dialog)->click();
        outcome.done = true;
        dialog.setOutcome(outcome);
        QVERIFY(says(dialog, QStringLiteral("Dropped")));
        QVERIFY(confirmButton(dialog)->isHidden());
    }

    /// However much there is to read.
    void showsAtAllTimesWhatIsActedOn()
    {
        SetTtlDialog dialog(lockWith(First), place(QStringLiteral("PROD")));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const QLabel *title = nullptr;
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            title = label->property("role") == QStringLiteral("lockTitle") ? label : title;
        QVERIFY(title && title->text() == QStringLiteral("job"));
        const auto shown = [&] { return title->visibleRegion().boundingRect().height(); };
        QCOMPARE(shown(), title->height());
        std::string said;
        for (int i = 0; i < 2'000; ++i) // more than a screen has room for
            said += "word ";
        dialog.setOutcome(failure(ErrorCode::ReplyTimeout, said, "EVALSHA"));
        const QScrollArea *texts = nullptr;
        for (const QScrollArea *area : dialog.findChildren<QScrollArea *>())
            texts = area->isAncestorOf(reasonOf(dialog)) ? area : texts;
        QTRY_VERIFY(texts->verticalScrollBar()->value() > 0); // to what is told
        QCOMPARE(shown(), title->height());
        texts->verticalScrollBar()->setValue(0); // a person compares
        const int height = dialog.height();
        dialog.setStatus(statusOf(SourcePhase::Live));
        QCoreApplication::processEvents();
        QCOMPARE(texts->verticalScrollBar()->value(), 0);
        QCOMPARE(dialog.height(), height);
    }

    /// An error has words of the server's, and what was to be done stays in sight above them.
    void growsForAnErrorWhereTheScreenHasRoom()
    {
        m_kept.names.setName(Second.client, QStringLiteral("checkout-worker-eu-central-1a"));
        DropWaiterDialog drop(lockWith(First, { Second }), Second, place());
        ForceReleaseDialog release(lockWith(First), place());
        m_kept.names.setName(Second.client, {});
        for (GuardedDialog *dialog : std::initializer_list<GuardedDialog *>{ &drop, &release }) {
            dialog->show();
            QVERIFY(QTest::qWaitForWindowExposed(dialog));
            QTest::keyClicks(reasonOf(*dialog), QStringLiteral("y"));
            confirmButton(*dialog)->click();
            dialog->setOutcome(failure(ErrorCode::PermissionDenied,
                "NOPERM this user has no permissions to run the 'evalsha' command; nothing was changed. This permits "
                "it: ACL SETUSER lockmon ~* +@read +time +eval +evalsha +publish +lrem +zadd +zrem",
                "dropping a waiter on 127.0.0.1:7202"));
            const QScrollArea *texts = nullptr;
            for (const QScrollArea *area : dialog->findChildren<QScrollArea *>())
                texts = area->isAncestorOf(reasonOf(*dialog)) ? area : texts;
            QCoreApplication::processEvents();
            QCOMPARE(texts->verticalScrollBar()->maximum(), 0);
            const QRect screen = dialog->screen()->availableGeometry();
            QVERIFY(screen.contains(dialog->frameGeometry()));
        }
    }

    void dropsNobodyFromAnotherServer()
    {
        auto seen = std::make_shared<LockState>(*lockWith(First, { Second }));
        DropWaiterDialog dialog(seen, Second, place());
        reasonOf(dialog)->setText(QStringLiteral("why"));
        QVERIFY(confirmButton(dialog)->isEnabled());
        auto moved = std::make_shared<LockState>(*seen);
        moved->node = "127.0.0.1:7211";
        dialog.setCurrent(moved);
        QVERIFY(!confirmButton(dialog)->isEnabled());
        QVERIFY(says(dialog, QStringLiteral("127.0.0.1:7211")));
    }

    void otherHoldersCanBeLookedAt()
    {
        SetTtlDialog dialog(lockWith(First), place());
        QSignalSpy confirmed(&dialog, &GuardedDialog::confirmed);
        reasonOf(dialog)->setText(QStringLiteral("why"));
        dialog.setCurrent(lockWith(Second));
        test::button(dialog, QStringLiteral("Look again"))->click();
        confirmButton(dialog)->click();
        const auto command = std::get<SetTtl>(confirmed.front().front().value<AdminCommand>());
        QVERIFY((command.expected == std::vector<ExpectedHolder>{ { Second, {} } }));
    }

    void saysThatALostAnswerLeavesItOpen()
    {
        SetTtlDialog dialog(lockWith(First), place());
        reasonOf(dialog)->setText(QStringLiteral("why"));
        confirmButton(dialog)->click();
        dialog.setSent();
        dialog.setOutcome(failure(ErrorCode::ReplyTimeout, "no reply", "EVALSHA"));
        QVERIFY(says(dialog, QStringLiteral("Whether it was done is not known")));
    }

    /// On independent servers the lock may be held on one that nobody can ask: before it is done, and after.
    void namesTheServersThatAreNotAsked()
    {
        auto lock = std::make_shared<LockState>(*lockWith(First));
        lock->subscribers = 0;
        lock->quorum = Quorum{ 1, 1, 3 };
        auto member = std::make_shared<LockState>(*lock);
        member->node = "127.0.0.1:7111";
        member->quorum.reset();
        lock->node.clear();
        lock->members = { member };
        Snapshot snapshot;
        snapshot.locks = { lock };
        for (const char *server : { "127.0.0.1:7111", "127.0.0.1:7112", "127.0.0.1:7113" }) {
            snapshot.nodes.push_back({ server, NodeRole::Master, {}, {}, 1, statusOf(SourcePhase::Live) });
            snapshot.nodes.back().status.server = server;
            snapshot.nodes.back().status.lastSweep.emplace();
        }
        QVERIFY(serversOutOfSight(snapshot, *lock).empty());
        for (const std::size_t unsure : { 0U, 2U })
            snapshot.nodes[unsure].status.phase = SourcePhase::Sweeping; // what was found is seen
        QCOMPARE(serversOutOfSight(snapshot, *lock), std::vector<std::string>{ "127.0.0.1:7113" });
        snapshot.nodes[2].status.phase = SourcePhase::Stale;
        const auto lost = serversOutOfSight(snapshot, *lock);
        QCOMPARE(lost, std::vector<std::string>{ "127.0.0.1:7113" });
        QVERIFY(serversOutOfSight(snapshot, *member).empty()); // it is on one server, and nowhere else

        ForceReleaseDialog dialog(lock, place());
        dialog.setStatus(statusOf(SourcePhase::Live), {}, lost);
        const auto text
            = QStringLiteral("What 127.0.0.1:7113 has is not known: it is not asked, and may still have the lock.");
        QVERIFY(says(dialog, text));
        reasonOf(dialog)->setText(QStringLiteral("ticket 4711"));
        confirmButton(dialog)->click();
        CommandOutcome outcome;
        outcome.done = true;
        outcome.notAsked = lost;
        dialog.setOutcome(outcome);
        QVERIFY(says(dialog, QStringLiteral("Released.")));
        const auto after
            = QStringLiteral("What 127.0.0.1:7113 had was not known: it was not asked, and may still have the lock.");
        QVERIFY(says(dialog, after));

        ForceReleaseDialog refused(lock, place());
        refused.setStatus(statusOf(SourcePhase::Live), {}, lost);
        reasonOf(refused)->setText(QStringLiteral("ticket 4711"));
        confirmButton(refused)->click();
        outcome.done = false;
        refused.setOutcome(outcome);
        QVERIFY(says(refused, QStringLiteral("Refused, and nothing was changed.")));
        QVERIFY(says(refused, after));
    }

    /// Who is not found on the others may be on the server that was not asked.
    void deniesNothingOfAServerThatWasNotAsked()
    {
        CommandOutcome outcome;
        outcome.notAsked = { "127.0.0.1:7113" };
        DropWaiterDialog drop(lockWith(First, { Second }), Second, place());
        auto semaphore = std::make_shared<LockState>(*lockWith(First));
        semaphore->kind = Kind::PermitExpirableSemaphore;
        semaphore->holders.clear();
        const PermitReading permit{ "00112233445566778899aabbccddeeff", {} };
        semaphore->permits.emplace().leases = { permit };
        ReturnPermitDialog giving(semaphore, permit, place());
        for (GuardedDialog *dialog : std::initializer_list<GuardedDialog *>{ &drop, &giving }) {
            reasonOf(*dialog)->setText(QStringLiteral("why"));
            confirmButton(*dialog)->click();
            dialog->setSent();
            dialog->setOutcome(outcome);
            QVERIFY(says(*dialog, QStringLiteral("What 127.0.0.1:7113 had was not known")));
        }
        QVERIFY(says(drop, QStringLiteral("Nobody waits in this queue on the servers that were asked.")));
        QVERIFY(says(giving, QStringLiteral("On the servers that were asked nobody held this permit any more")));
    }

    /// Of independent servers some did it and one did not, so that its holder has it still.
    void saysThatItWasDoneInPart()
    {
        auto lock = std::make_shared<LockState>(*lockWith(First));
        lock->node.clear();
        for (const char *server : { "127.0.0.1:7111", "127.0.0.1:7112", "127.0.0.1:7113" }) {
            auto member = std::make_shared<LockState>(*lockWith(First));
            member->node = server;
            lock->members.push_back(member);
        }
        lock->quorum = Quorum{ 3, 0, 3 };
        ForceReleaseDialog dialog(lock, place());
        QVERIFY(says(dialog, QStringLiteral("on 3 of 3 servers")));
        reasonOf(dialog)->setText(QStringLiteral("ticket 4711"));
        confirmButton(dialog)->click();
        dialog.setSent();
        Error error = errorOf(ErrorCode::HolderChanged, { Phrase::DoneOn, { "127.0.0.1:7111, 127.0.0.1:7112" } }, {});
        add(error, { Phrase::NotDoneOn, { "127.0.0.1:7113" } });
        dialog.setOutcome(tl::unexpected(error));
        QVERIFY(says(dialog, QStringLiteral("It was done on some of the servers, and not on all.")));
        QVERIFY(!says(dialog, QStringLiteral("othing was changed")));
        auto left = std::make_shared<LockState>(*lock);
        left->members.erase(left->members.begin(), left->members.begin() + 2);
        left->quorum = Quorum{ 1, 0, 3 };
        dialog.setCurrent(left);
        QVERIFY(says(dialog, QStringLiteral("on 1 of 3 servers")));
        QVERIFY(!says(dialog, QStringLiteral("on 3 of 3 servers")));

        confirmButton(dialog)->click(); // and one of them does not answer
        dialog.setSent();
        Error open = errorOf(ErrorCode::ReplyTimeout, { Phrase::DoneOn, { "127.0.0.1:7111" } }, {});
        add(open, { Phrase::PerhapsDoneOn, { "127.0.0.1:7113" } });
        dialog.setOutcome(tl::unexpected(open));
        QVERIFY(says(dialog, QStringLiteral("Whether it was done on all is not known.")));
        QVERIFY(!says(dialog, QStringLiteral("and not on all")));
        QVERIFY(!says(dialog, QStringLiteral("Whether it was done is not known")));
    }

    /// What was seen on a server and is lost is refused: nothing is said as if it went on without that one.
    void saysOfALostServerThatHasItOnlyThatItIsRefused()
    {
        auto lock = std::make_shared<LockState>(*lockWith(First));
        lock->quorum = Quorum{ 2, 1, 3 };
        lock->node.clear();
        for (const char *server : { "127.0.0.1:7111", "127.0.0.1:7112", "127.0.0.1:7113" }) {
            auto member = std::make_shared<LockState>(*lockWith(First));
            member->node = server;
            lock->members.push_back(member);
        }
        ForceReleaseDialog dialog(lock, place());
        reasonOf(dialog)->setText(QStringLiteral("ticket 4711"));
        const QString server = QStringLiteral("127.0.0.1:7113");
        dialog.setStatus(statusOf(SourcePhase::Stale), { server }, { server.toStdString() });
        QVERIFY(says(dialog, server + QStringLiteral(" is lost: nobody knows what is there now.")));
        QVERIFY(says(dialog, QStringLiteral("connect again")));
        QVERIFY(!says(dialog, QStringLiteral("not asked, and may still have the lock")));
        QVERIFY(!confirmButton(dialog)->isEnabled());

        auto alone = std::make_shared<LockState>(*lock); // no other one has it: it would not be found
        alone->quorum = Quorum{ 0, 1, 3 };
        alone->members = { lock->members.back() };
        dialog.setCurrent(alone);
        QVERIFY(says(dialog, server + QStringLiteral(" is lost: nobody knows what is there now.")));
        QVERIFY(!says(dialog, QStringLiteral("connect again")));

        dialog.setCurrent(lock);
        dialog.setStatus(statusOf(SourcePhase::Live), {}, { server.toStdString() });
        QVERIFY(says(dialog, QStringLiteral("not asked, and may still have the lock")));
        QVERIFY(!says(dialog, QStringLiteral("connect again")));
        QVERIFY(confirmButton(dialog)->isEnabled());
    }

    /// The window's clock stands still at the moment when the server was seen last.
    void tellsWhenThePersonTried()
    {
        MonoTime real(std::chrono::hours(1));
        ViewClock clock([&real] { return real; });
        clock.setReference({ real, WallTime(std::chrono::hours(24)) });
        const auto timeText = [&](MonoTime moment) {
            const WallTime at = clock.wallAt(moment);
            return clockText(at, at);
        };
        const MonoTime seen = real;
        ForceReleaseDialog dialog(lockWith(First), { m_profile, m_kept.names, clock });
        reasonOf(dialog)->setText(QStringLiteral("ticket 4711"));
        const MonoTime clicked = real += Millis(2'132);
        clock.freezeAt(seen);
        confirmButton(dialog)->click();
        real += Millis(5'000);
        dialog.setOutcome(failure(ErrorCode::ConnectionClosed, "no connection", "opening"));
        QVERIFY(says(dialog, QStringLiteral("Tried at %1:").arg(timeText(clicked))));
        QVERIFY(!says(dialog, timeText(seen)));
    }

    void callsClientsByTheirNames()
    {
        m_kept.names.setName(First.client, QStringLiteral("billing"));
        SetTtlDialog time(lockWith(First), place());
        ForceReleaseDialog release(lockWith(Second, { First }), place());
        DropWaiterDialog drop(lockWith(Second, { First }), First, place());
        for (const QDialog *dialog : std::initializer_list<QDialog *>{ &time, &release, &drop })
            QVERIFY(says(*dialog, QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7 (billing)")));
        m_kept.names.setName(First.client, {});
        QVERIFY(!says(time, QStringLiteral("billing")));
    }

    void showsNamesOfStrangersAsPlainText()
    {
        DropWaiterDialog dialog(lockWith(First, { { "<b>x</b>", "1" } }), { "<b>x</b>", "1" }, place());
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        QVERIFY(says(dialog, QStringLiteral("<b>x</b>:1")));
    }

    /// What was seen stays in sight above what became of it, also when the news of it comes later.
    void keepsWhatWasSeenInSightWhereTheScreenHasRoom()
    {
        ForceReleaseDialog dialog(lockWith(First), place());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QTest::keyClicks(reasonOf(dialog), QStringLiteral("y"));
        confirmButton(dialog)->click();
        dialog.setSent();
        CommandOutcome refused;
        refused.found.emplace_back().owner = Second;
        dialog.setOutcome(refused);
        QCoreApplication::processEvents();
        dialog.setCurrent(lockWith(Second));
        QCoreApplication::processEvents();
        QVERIFY(says(dialog, QStringLiteral("You saw")));
        const QScrollArea *texts = nullptr;
        for (const QScrollArea *area : dialog.findChildren<QScrollArea *>())
            texts = area->isAncestorOf(reasonOf(dialog)) ? area : texts;
        QVERIFY(dialog.screen()->availableGeometry().contains(dialog.frameGeometry()));
        QCOMPARE(texts->verticalScrollBar()->maximum(), 0);
    }

    /// There is nothing to call off: it was answered.
    void isClosedAfterARefusal()
    {
        ForceReleaseDialog dialog(lockWith(First), place());
        const auto closes = [&](const QString &text) {
            const auto buttons = dialog.findChildren<QPushButton *>();
            return std::ranges::any_of(buttons, [&](const auto *button) { return button->text() == text; });
        };
        QVERIFY(closes(QStringLiteral("Cancel")));
        reasonOf(dialog)->setText(QStringLiteral("why"));
        confirmButton(dialog)->click();
        dialog.setSent();
        CommandOutcome refused;
        refused.found.emplace_back().owner = Second;
        dialog.setOutcome(refused);
        QVERIFY(closes(QStringLiteral("Close")));
        dialog.setCurrent(lockWith(Second));
        for (auto *button : dialog.findChildren<QPushButton *>())
            if (button->text().contains(QStringLiteral("ook again")))
                button->click();
        QVERIFY(closes(QStringLiteral("Cancel")));
    }

    void showsBothEndsWhereOnlyTheEndDiffers()
    {
        auto seen = std::make_shared<LockState>(*lockWith(First));
        seen->lease = Lease::Fixed; // no watchdog sets it anew
        seen->holders.front().expiresAt = seen->expiresAt = m_clock.now() + Millis(60'500);
        ForceReleaseDialog dialog(seen, place());
        QVERIFY(says(dialog, QStringLiteral("1 m 00 s left")));
        auto anew = std::make_shared<LockState>(*seen);
        anew->holders.front().expiresAt = anew->expiresAt = m_clock.now() + Millis(900'500);
        dialog.setCurrent(anew);
        QVERIFY(says(dialog, QStringLiteral("You saw")));
        QVERIFY(says(dialog, QStringLiteral("would have 1 m 00 s left")));
        QVERIFY(says(dialog, QStringLiteral("15 m 00 s left")));
        dialog.setCurrent(lockWith(Second));
        QVERIFY(!says(dialog, QStringLiteral("would have"))); // another one holds it, which is what differs
    }

    void tellsThatACountIsAnotherOneByNow()
    {
        ForceReleaseDialog dialog(lockWith(First), place());
        QVERIFY(says(dialog, QStringLiteral("×1")) && !says(dialog, QStringLiteral("when you looked")));
        auto reentered = std::make_shared<LockState>(*lockWith(First));
        reentered->holders.front().count = 2;
        dialog.setCurrent(reentered);
        QVERIFY(says(dialog, QStringLiteral("×2 (×1 when you looked)")));
    }

    /// Each name in as many lines as it needs, and whole owners: what is ticked is known from what is not.
    void tellsLocksApartThatAreReleasedTogether()
    {
        for (const std::size_t length : { 304, 5'000 }) {
            BulkChoice choice;
            for (const std::size_t at : { std::size_t(0), length / 2, length - 1 }) {
                auto lock = std::make_shared<LockState>(*lockWith(at == 0 ? First : Second));
                lock->name = std::string(length, 'n');
                if (at > 0)
                    lock->name[at] = 'o';
                choice.locks.push_back(lock);
            }
            BulkReleaseDialog dialog(choice, place());
            dialog.resize(1'040, 760);
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog));
            auto &table = *dialog.findChild<QTableWidget *>();
            const auto cellOf = [&](int row, int column) {
                table.scrollToItem(table.item(row, column));
                return table.viewport()->grab(table.visualItemRect(table.item(row, column))).toImage();
            };
            for (int row = 0; row < 3; ++row) {
                const QString name = table.item(row, 0)->text();
                QVERIFY(name != table.item((row + 1) % 3, 0)->text());
                QVERIFY(cellOf(row, 0) != cellOf((row + 1) % 3, 0));
                const QRect cell = table.visualItemRect(table.item(row, 0));
                const QRect text
                    = table.fontMetrics().boundingRect({ 0, 0, cell.width(), 9'000 }, Qt::TextWrapAnywhere, name);
                QVERIFY2(text.height() <= cell.height(), qPrintable(name)); // all of it is to be read
                const OwnerId &owner = row == 0 ? First : Second;
                QVERIFY2(table.item(row, 1)->text().contains(fullOwner(owner)), qPrintable(table.item(row, 1)->text()));
            }
        }
    }

    /// What is typed is what is kept.
    void cutsNoNameOfAClientBehindThePersonsBack()
    {
        QWidget window;
        ClientActions actions(m_kept.names, m_clock, &window);
        window.show();
        actions.askForName(First.client);
        auto &dialog = *window.findChild<QInputDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto &edit = *dialog.findChild<QLineEdit *>();
        QVERIFY(says(dialog, QStringLiteral("at most 60 characters")));
        QTest::keyClicks(&edit, QString(70, QLatin1Char('n')));
        const QString typed = edit.text();
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(m_kept.names.nameOf(First.client), typed);
        m_kept.names.setName(First.client, {});
    }

    /// It would turn what stands beside it, and of two names that look the same one might be another client's.
    void aNameHasNothingThatCannotBeSeen()
    {
        const QString hostile = QStringLiteral("bill\u202eing\u200b\u00a01");
        const QString seen = QStringLiteral("billing 1");
        m_kept.names.setName(First.client, hostile); // as settings may have it
        QWidget window;
        ClientActions actions(m_kept.names, m_clock, &window);
        window.show();
        actions.askForName(First.client);
        auto &dialog = *window.findChild<QInputDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto &edit = *dialog.findChild<QLineEdit *>();
        QCOMPARE(edit.text(), seen);
        edit.clear();
        QApplication::clipboard()->setText(hostile);
        edit.paste();
        QCOMPARE(edit.text(), seen);
        QCOMPARE(edit.cursorPosition(), int(seen.size()));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("cannot be seen")), qPrintable(QToolTip::text()));
        QTest::keyClick(&edit, Qt::Key_Return);
        QCOMPARE(m_kept.names.nameOf(First.client), seen);
        m_kept.names.setName(First.client, {});
    }
};

QTEST_MAIN(GuardedDialogs)
#include "tst_guarded_dialogs.moc"
