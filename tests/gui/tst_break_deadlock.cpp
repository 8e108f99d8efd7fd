// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/test_names.h"
#include "tests/gui/waiting_locks.h"
#include "ui/dialogs/break_deadlock_dialog.h"
#include "ui/support/freshness.h"
#include "ui/text/lock_text.h"

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;

namespace {

const WaitCycle Circle{ { ownerOf("b"), "x", ownerOf("a") }, { ownerOf("a"), "y", ownerOf("b") } };

struct Fixture : TestNames {
    Now now = currentNow();
    ViewClock clock{ [this] { return now.mono; } };
    BreakDeadlockDialog dialog;

    explicit Fixture(WaitCycle cycle = Circle)
        : dialog(std::move(cycle), names, clock)
    {
        dialog.setActionsAllowed(true, {});
    }

    std::shared_ptr<LockState> fair(
        const LockName &name, const std::string &holder, const std::vector<std::string> &waiters) const
    {
        auto lock = fairLock(name, holder, waiters, now.mono);
        lock->node = name == "x" ? "n1" : "n2";
        return lock;
    }
    void show(std::vector<std::shared_ptr<const LockState>> locks)
    {
        dialog.setSnapshot(*makeSnapshot(now, std::move(locks)));
    }
    bool says(const QString &text) const
    {
        for (const QLabel *label : dialog.findChildren<QLabel *>())
            if (label->text().contains(text))
                return true;
        return false;
    }
    bool mayRelease()
    {
        dialog.findChild<QRadioButton *>()->setChecked(true);
        return test::button(dialog, QStringLiteral("Release this hold…"))->isEnabled();
    }
};

} // namespace

class BreakDeadlockTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void offersTheHoldsOfADeadlock()
    {
        Fixture f;
        f.show({ f.fair("x", "a", { "b" }), f.fair("y", "b", { "a" }) });
        QVERIFY(f.mayRelease());
    }

    void hasItsButtonsWhereOtherDialogsHaveThem()
    {
        Fixture f;
        f.show({ f.fair("x", "a", { "b" }), f.fair("y", "b", { "a" }) });
        f.dialog.show();
        const auto *cancel = test::button(f.dialog, QStringLiteral("Cancel"));
        const auto *release = test::button(f.dialog, QStringLiteral("Release this hold…"));
        QVERIFY(cancel->geometry().right() < release->geometry().left());
        QTest::keyClick(&f.dialog, Qt::Key_Escape);
        QVERIFY(!f.dialog.isVisible());
    }

    /// As the graph has it: who listens to nothing does not wait.
    void isOverWhenAWaiterIsNoLongerThere()
    {
        Fixture f;
        auto lock = f.fair("x", "a", { "b" });
        lock->waiters.front().subscribed = false;
        f.show({ lock, f.fair("y", "b", { "a" }) });
        QVERIFY(!f.mayRelease());
        QVERIFY(f.says(QStringLiteral("This deadlock is over")));
    }

    void offersNothingWhileAServerOfItIsLost()
    {
        Fixture f;
        const auto lost = f.fair("x", "a", { "b" });
        lost->readAtMono = f.now.mono - Millis(10'000);
        auto snapshot = makeSnapshot(f.now, { lost, f.fair("y", "b", { "a" }) });
        snapshot->nodes.resize(2);
        for (std::size_t i = 0; i < 2; ++i)
            snapshot->nodes[i].node = i == 0 ? "n1" : "n2";
        snapshot->nodes[0].status.phase = SourcePhase::Stale;
        snapshot->nodes[0].status.staleSince = f.now.mono - Millis(5'000);
        snapshot->nodes[1].status.phase = SourcePhase::Live;
        f.dialog.setSnapshot(*snapshot);
        QVERIFY(!f.mayRelease());
        const auto held = [&](const LockState &lock, Millis unseen) { // no longer than it was seen
            return heldText(lock, f.now.mono - unseen, f.now.mono);
        };
        QVERIFY(f.says(QStringLiteral("Held by a:1 for ") + held(*lost, Millis(5'000))));
        QVERIFY(f.says(QStringLiteral("Held by b:1 for ") + held(*snapshot->locks.find("y"), Millis(0))));
        snapshot->nodes[0].status.phase = SourcePhase::Live;
        snapshot->nodes[0].status.staleSince.reset();
        f.dialog.setSnapshot(*snapshot);
        QVERIFY(f.mayRelease());
    }

    /// What clients are called is no part of the sentence.
    void keepsNamesOutOfItsSentences()
    {
        Fixture f({ { ownerOf("%1"), "x", ownerOf("a") }, { ownerOf("a"), "y", ownerOf("%1") } });
        f.show({ f.fair("x", "a", { "%2", "%1" }), f.fair("y", "%1", { "a" }) });
        QVERIFY(f.says(QStringLiteral("%2:1 gets the lock, which is first in the queue. %1:1 is number 2")));
    }
};

QTEST_MAIN(BreakDeadlockTest)
#include "tst_break_deadlock.moc"
