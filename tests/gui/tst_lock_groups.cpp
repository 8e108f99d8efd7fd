// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/waiting_locks.h"
#include "ui/models/client_overview.h"
#include "ui/models/lock_group_model.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;

namespace {

const Now Start{ MonoTime(std::chrono::hours(100)), WallTime(std::chrono::hours(490'000)) };

MonoTime fixedNow() { return Start.mono; }

using Locks = std::vector<LockTableModel::Lock>;

LockTableModel::Lock heldBy(const LockName &name, const std::vector<std::string> &clients)
{
    auto lock = makeLock(name, Start.mono);
    const Holder holder = lock->holders.front();
    lock->holders.clear();
    for (const std::string &client : clients) {
        lock->holders.push_back(holder);
        lock->holders.back().owner = { client, "1" };
    }
    if (clients.size() > 1) {
        lock->kind = Kind::ReadWrite;
        for (Holder &each : lock->holders)
            each.mode = HoldMode::Read;
    }
    return lock;
}

LockTableModel::Lock freeLock(const LockName &name)
{
    auto lock = makeLock(name, Start.mono);
    lock->holders.clear();
    lock->expiresAt.reset();
    return lock;
}

/// `[title] lock lock [title]`, as they stand there; `>` marks a folded group.
QString shown(const LockGroupModel &model)
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex index = model.index(row, LockTableModel::Name);
        const QVariant group = index.data(GroupRole);
        if (!group.isValid()) {
            rows << index.data().toString();
            continue;
        }
        const bool folded = index.data(FoldRole).toInt() == int(Fold::Closed);
        rows << QStringLiteral("[%1%2]").arg(folded ? QStringLiteral(">") : QString(), group.toStringList().front());
    }
    return rows.join(QLatin1Char(' '));
}

QStringList titleOf(const LockGroupModel &model, const GroupKey &key)
{
    return model.indexOf(key).data(GroupRole).toStringList();
}

const GroupKey A{ false, "A" };
const GroupKey B{ false, "B" };
const GroupKey Rest{ true, {} };

} // namespace

class LockGroupsTest : public QObject {
    Q_OBJECT
    ViewClock m_clock{ fixedNow };
    LockTableModel m_locks{ m_clock };
    LockFilterProxy m_proxy{ m_locks };
    LockGroupModel m_groups{ m_locks, m_proxy };
    QAbstractItemModelTester m_tester{ &m_groups, QAbstractItemModelTester::FailureReportingMode::Fatal };

private Q_SLOTS:
    void init()
    {
        m_groups.hold(false);
        m_groups.setGrouping(Grouping::None);
        m_groups.setAnalysis(nullptr);
        m_proxy.setFilter({});
        m_proxy.sort(LockTableModel::Name);
        m_locks.clear();
    }

    void cutsPrefixesAtSeparators_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("two");
        const std::array<const char *, 3> rows[] = { { "order:{8812}:pay", "order:", "order:{8812}:" },
            { "order:8812", "order:", "order:" }, { "plain", "", "" }, { "com.acme.stock", "com.", "com.acme." },
            { "/locks/a", "/locks/", "/locks/" }, { "::a:b", "::a:", "::a:" }, { "", "", "" }, { ":", "", "" },
            { "a/b.c:d", "a/", "a/b." }, { "end:", "end:", "end:" } };
        for (const auto &[name, one, two] : rows)
            QTest::newRow(name) << QByteArray(name) << QByteArray(one) << QByteArray(two);
    }
    void cutsPrefixesAtSeparators()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, one);
        QFETCH(const QByteArray, two);
        QCOMPARE(std::string(namePrefix(name.toStdString(), 1)), one.toStdString());
        QCOMPARE(std::string(namePrefix(name.toStdString(), 2)), two.toStdString());
    }

    void groupsByClientAndByPrefix()
    {
        m_locks.setLocks(
            Locks{ heldBy("a:1", { "A" }), heldBy("a:2", { "B" }), freeLock("b:1"), heldBy("plain", { "A" }) });
        m_groups.setGrouping(Grouping::Client);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] a:1 plain [B] a:2 [without a holder] b:1"));
        m_groups.setGrouping(Grouping::Prefix);
        QCOMPARE(shown(m_groups), QStringLiteral("[a:] a:1 a:2 [b:] b:1 [without a prefix] plain"));
        m_groups.setGrouping(Grouping::None);
        QCOMPARE(m_groups.rowCount(), 0);
    }

    /// Each of several holders has it in its group, and it is said that there are others.
    void showsASharedLockUnderEachHolder()
    {
        m_locks.setLocks(Locks{ heldBy("r", { "A", "B" }), heldBy("s", { "B" }) });
        m_groups.setGrouping(Grouping::Client);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] r [B] r s"));
        const QString holder = m_groups.index(1, LockTableModel::HolderColumn).data().toString();
        QVERIFY2(holder.startsWith(QStringLiteral("A:1 and ")), qPrintable(holder));
        QCOMPARE(m_groups.index(4, LockTableModel::HolderColumn).data().toString(), QStringLiteral("B:1"));
        QCOMPARE(m_groups.indexOf(LockName("r"), B).row(), 3);
        QCOMPARE(m_groups.indexOf(LockName("r"), std::nullopt).row(), 1);
    }

    void followsWhatChangesRowByRow()
    {
        Locks locks{ heldBy("a", { "A" }), heldBy("b", { "A" }), heldBy("c", { "B" }) };
        m_locks.setLocks(locks);
        m_groups.setGrouping(Grouping::Client);
        const QPersistentModelIndex kept = m_groups.indexOf(LockName("b"), A);
        QSignalSpy reset(&m_groups, &QAbstractItemModel::modelReset);
        locks.insert(locks.begin(), heldBy("Z", { "C" })); // another group
        m_locks.setLocks(locks);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] a b [B] c [C] Z"));
        locks[1] = heldBy("a", { "B" }); // changes hands
        m_locks.setLocks(locks);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] b [B] a c [C] Z"));
        locks.erase(locks.begin() + 3); // `c`
        m_locks.setLocks(locks);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] b [B] a [C] Z"));
        locks.erase(locks.begin()); // the last one of its group
        m_locks.setLocks(locks);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] b [B] a"));
        QCOMPARE(kept.data().toString(), QStringLiteral("b"));
        QCOMPARE(reset.size(), 0);
    }

    void sortsInsideGroups()
    {
        m_locks.setLocks(
            Locks{ heldBy("a", { "A" }), heldBy("b", { "A" }), heldBy("c", { "B" }), heldBy("d", { "A" }) });
        m_groups.setGrouping(Grouping::Client);
        const QPersistentModelIndex kept = m_groups.indexOf(LockName("d"), A);
        m_groups.sort(LockTableModel::Name, Qt::DescendingOrder);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] d b a [B] c"));
        QCOMPARE(kept.row(), 1);
        m_proxy.setFilter(*LockFilter::parse("-name:b"));
        QCOMPARE(shown(m_groups), QStringLiteral("[A] d a [B] c"));
        QVERIFY(titleOf(m_groups, A)[2].startsWith(QStringLiteral("shown:")));
        m_proxy.setFilter({});
        QCOMPARE(shown(m_groups), QStringLiteral("[A] d b a [B] c"));
    }

    /// Rows that move alone, in several groups at once.
    void followsRowsThatMove()
    {
        const auto ending = [](const char *name, const std::vector<std::string> &clients, int seconds) {
            auto lock = std::make_shared<LockState>(*heldBy(name, clients));
            lock->expiresAt = Start.mono + std::chrono::seconds(seconds);
            return lock;
        };
        Locks locks{ ending("a", { "A" }, 1), ending("b", { "A", "B" }, 2), ending("c", { "A" }, 3),
            ending("d", { "B" }, 4), ending("e", { "B" }, 5) };
        m_locks.setLocks(locks);
        m_groups.setGrouping(Grouping::Client);
        m_proxy.sort(LockTableModel::Ttl);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] a b c [B] b d e"));
        const QPersistentModelIndex first = m_groups.indexOf(LockName("b"), A);
        const QPersistentModelIndex second = m_groups.indexOf(LockName("b"), B);
        const QPersistentModelIndex title = m_groups.indexOf(B);
        locks[0] = ending("a", { "A" }, 9);
        locks[1] = ending("b", { "A", "B" }, 8);
        m_locks.setLocks(locks);
        m_proxy.sortChanged();
        QCOMPARE(shown(m_groups), QStringLiteral("[A] c b a [B] d e b"));
        QCOMPARE(first.row(), 2);
        QCOMPARE(second.row(), 7);
        QCOMPARE(title.row(), 4);
        locks.pop_back();
        m_locks.setLocks(locks);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] c b a [B] d b"));
    }

    void losesManyAtOnce()
    {
        constexpr int Many = 1'000;
        Locks locks;
        for (int i = 0; i < Many; ++i)
            locks.push_back(heldBy("lock:" + std::to_string(10'000 + i), { i % 2 == 0 ? "A" : "B" }));
        locks.push_back(heldBy("other", { "B" }));
        m_groups.setGrouping(Grouping::Client);
        m_locks.setLocks(locks);
        m_proxy.setFilter(*LockFilter::parse("other"));
        QCOMPARE(shown(m_groups), QStringLiteral("[B] other"));
        m_proxy.setFilter({});
        QCOMPARE(m_groups.rowCount(), Many + 3);
    }

    void foldsAndStaysFolded()
    {
        Locks locks{ heldBy("a", { "A" }), heldBy("b", { "A" }), heldBy("c", { "B" }) };
        m_locks.setLocks(locks);
        m_groups.setGrouping(Grouping::Client);
        m_groups.setFolded(A, true);
        QCOMPARE(shown(m_groups), QStringLiteral("[>A] [B] c"));
        QVERIFY(!m_groups.indexOf(LockName("a"), std::nullopt).isValid());
        QCOMPARE(m_groups.locksIn(A).size(), std::size_t(2));
        locks.push_back(heldBy("d", { "A" }));
        m_locks.setLocks(locks);
        m_groups.sort(LockTableModel::Name, Qt::DescendingOrder);
        QCOMPARE(shown(m_groups), QStringLiteral("[>A] [B] c"));
        QCOMPARE(m_groups.locksIn(A).size(), std::size_t(3));
        m_groups.setFolded(A, false);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] d b a [B] c"));
        m_groups.foldAll(true);
        QCOMPARE(shown(m_groups), QStringLiteral("[>A] [>B]"));
    }

    void countsWhatIsInAGroup()
    {
        auto waited = std::make_shared<LockState>(*heldBy("b", { "A" }));
        waited->subscribers = 4;
        m_locks.setLocks(Locks{ heldBy("a", { "A" }), waited, freeLock("c") });
        m_groups.setGrouping(Grouping::Client);
        auto analysis = std::make_shared<Analysis>(*analysisWith({}, Start.mono));
        Suspect suspect;
        suspect.lock = "a";
        analysis->suspects.push_back(suspect);
        auto graph = std::make_shared<WaitGraph>();
        graph->edges = { { { "A", "1" }, "x", { "B", "1" } }, { { "A", "2" }, "x", { "B", "1" } } };
        analysis->graph = graph;
        m_groups.setAnalysis(analysis.get());
        const QStringList title = titleOf(m_groups, A);
        QVERIFY2(title[2].startsWith(QStringLiteral("2 lock")), qPrintable(title[2]));
        QVERIFY2(title[2].contains(QStringLiteral("≥ 4 waiting")), qPrintable(title[2]));
        QVERIFY2(title[2].endsWith(QStringLiteral("waits for 1")), qPrintable(title[2]));
        auto shared = makeSnapshot({ Start.mono, Start.wall }, {});
        shared->status.channelsShared = true; // with another database: no least number, as in the rows
        m_locks.setSight(shared);
        QVERIFY2(titleOf(m_groups, A)[2].contains(QStringLiteral("4? waiting")), qPrintable(titleOf(m_groups, A)[2]));
        auto sweeping = makeSnapshot({ Start.mono, Start.wall }, {});
        sweeping->status.lastSweep.reset(); // more may be there than was looked at
        m_locks.setSight(sweeping);
        QVERIFY2(titleOf(m_groups, A)[2].startsWith(QStringLiteral("≥ 2 lock")), qPrintable(titleOf(m_groups, A)[2]));
        QVERIFY2(
            titleOf(m_groups, A)[2].endsWith(QStringLiteral("waits for ≥ 1")), qPrintable(titleOf(m_groups, A)[2]));
        m_locks.setSight(nullptr);
        QVERIFY(title[3].startsWith(QStringLiteral("1 need")));
        m_groups.setAnalysis(nullptr);
        QVERIFY(titleOf(m_groups, A)[3].isEmpty());
        QVERIFY(!titleOf(m_groups, A)[2].contains(QStringLiteral("waits for")));
        m_groups.setGrouping(Grouping::Prefix);
        QVERIFY2(titleOf(m_groups, Rest)[2].contains(QStringLiteral("2 held")), qPrintable(titleOf(m_groups, Rest)[2]));
    }

    /// Under a moving pointer no row moves; what came meanwhile comes afterwards.
    void movesNoRowWhileItIsHeld()
    {
        Locks locks{ heldBy("b", { "A" }), heldBy("c", { "B" }) };
        m_locks.setLocks(locks);
        m_groups.setGrouping(Grouping::Client);
        m_groups.hold(true);
        locks.insert(locks.begin(), heldBy("a", { "A" }));
        locks[1] = heldBy("b", { "B" });
        m_locks.setLocks(locks);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] b [B] c"));
        m_groups.hold(false);
        QCOMPARE(shown(m_groups), QStringLiteral("[A] a [B] b c"));
    }

    /// Its row stays meanwhile.
    void countsNothingThatIsGone()
    {
        m_locks.setLocks({ heldBy("a", { "A" }), heldBy("b", { "A" }) });
        m_groups.setGrouping(Grouping::Client);
        QVERIFY(titleOf(m_groups, A)[2].startsWith(QStringLiteral("2 lock")));
        m_locks.keepGone(true);
        m_proxy.holdOrder(true);
        m_groups.hold(true);
        m_locks.setLocks({ heldBy("a", { "A" }) });
        QCOMPARE(shown(m_groups), QStringLiteral("[A] a b"));
        QVERIFY2(titleOf(m_groups, A)[2].startsWith(QStringLiteral("1 lock")), qPrintable(titleOf(m_groups, A)[2]));
        m_locks.setLocks({ heldBy("a", { "A" }), heldBy("b", { "A" }) });
        QVERIFY2(titleOf(m_groups, A)[2].startsWith(QStringLiteral("2 lock")), qPrintable(titleOf(m_groups, A)[2]));
        m_locks.keepGone(false);
        m_proxy.holdOrder(false);
    }

    void countsNoGroupOfWhichAllAreGone()
    {
        m_locks.setLocks({ heldBy("a", { "A" }), heldBy("b", { "B" }) });
        m_groups.setGrouping(Grouping::Client);
        m_locks.keepGone(true);
        m_proxy.holdOrder(true);
        m_groups.hold(true);
        m_locks.setLocks({ heldBy("a", { "A" }) });
        QCOMPARE(shown(m_groups), QStringLiteral("[A] a [B] b"));
        QCOMPARE(m_groups.groupCount(), 1);
        m_locks.keepGone(false);
        m_proxy.holdOrder(false);
        m_groups.hold(false);
        QCOMPARE(m_groups.groupCount(), 1);
    }

    void takesManyChangesAtOnce()
    {
        constexpr int Many = 600;
        Locks locks;
        for (int i = 0; i < Many; ++i)
            locks.push_back(heldBy("lock:" + std::to_string(10'000 + i), { i % 2 == 0 ? "A" : "B" }));
        m_groups.setGrouping(Grouping::Client);
        m_locks.setLocks(locks);
        QCOMPARE(m_groups.rowCount(), Many + 2);
        for (int i = 0; i < Many; i += 3)
            locks[static_cast<std::size_t>(i)] = heldBy(locks[static_cast<std::size_t>(i)]->name, { "C" });
        m_locks.setLocks(locks);
        QCoreApplication::processEvents(); // so many find their places together
        QCOMPARE(m_groups.rowCount(), Many + 3);
        QCOMPARE(m_groups.locksIn({ false, "C" }).size(), std::size_t(Many / 3));
        std::erase_if(locks, [](const auto &lock) { return lock->name.ends_with("7"); });
        m_locks.setLocks(locks);
        QCOMPARE(m_groups.rowCount(), static_cast<int>(locks.size()) + 3);
    }

    void knowsAllOfAClient()
    {
        auto snapshot = makeSnapshot(Start,
            { heldBy("a", { "A" }), heldBy("r", { "A", "B" }), fairLock("f", "B", { "A", "C" }, Start.mono),
                listenedLock("x", "C", 3, Start.mono) });
        const ClientOverview overview = clientOverview(*snapshot, "A");
        QCOMPARE(overview.holds.size(), std::size_t(2));
        QVERIFY(!overview.holds[0].isShared && overview.holds[1].isShared);
        QCOMPARE(overview.waits.size(), std::size_t(1));
        QCOMPARE(overview.waits[0].place, 1);
        QCOMPARE(overview.anonymous, std::int64_t(1)); // who waits for `x` may be it
        QVERIFY(overview.signs.listens && overview.signs.lookAlive(Start.mono)); // it listens for `f`
        const ClientOverview other = clientOverview(*snapshot, "B");
        QCOMPARE(other.blocked, std::int64_t(2)); // in the queue of `f`
    }

    void takesARenewalForASignOfLife()
    {
        auto lock = makeLock("a", Start.mono);
        lock->holders.front().owner = { "A", "1" };
        lock->holders.front().since = { Start.mono - Millis(100'000), false };
        lock->ttlHistory = { { Start.mono - Millis(8'000), Millis(20'000), Millis(30'000), true } };
        QVERIFY(lifeSigns({ lock }, "A").lookAlive(Start.mono));
        QVERIFY(!lifeTexts(lifeSigns({ lock }, "A"), { Start.mono }).isEmpty());
        QVERIFY(!lifeSigns({ lock }, "B").lookAlive(Start.mono));
        lock->ttlHistory.front().at = Start.mono - Millis(60'000);
        QVERIFY(!lifeSigns({ lock }, "A").lookAlive(Start.mono));
        QVERIFY(lifeTexts(lifeSigns({ lock }, "A"), { Start.mono }).isEmpty());
    }

    /// Renewed or taken anew: its client did something. What of the two it was is not told as a fact.
    void takesWhatIsInferredForASignOfLife()
    {
        auto lock = makeLock("a", Start.mono);
        lock->holders.front().owner = { "A", "1" };
        lock->holders.front().since = { Start.mono - Millis(100'000), false };
        lock->ttlHistory.clear();
        const auto told = [&] { return lifeTexts(lifeSigns({ lock }, "A"), { Start.mono }).join(u'|'); };
        QCOMPARE(told(), QString());
        const MonoTime then = Start.mono - Millis(20'000);
        lock->lastChange = { then, EventKind::Renewed, Certainty::Inferred };
        QCOMPARE(told(), QStringLiteral("It probably renewed what it holds, 20 s ago."));
        lock->ttlHistory = { { then, Millis(20'000), Millis(30'000), true } };
        QCOMPARE(told(), QStringLiteral("It probably renewed what it holds, 20 s ago."));
        lock->lastChange.certainty = Certainty::Seen;
        QCOMPARE(told(), QStringLiteral("It renewed what it holds 20 s ago."));
        lock->ttlHistory.clear(); // by a person, or by another hold
        QCOMPARE(told(), QString());
        lock->lastChange = { then, EventKind::Acquired, Certainty::Inferred };
        lock->holders.front().since = { then, false };
        QCOMPARE(told(), QStringLiteral("It probably took a lock, 20 s ago."));
        lock->lastChange = { then, EventKind::Reentered, Certainty::Inferred };
        QCOMPARE(told(), QStringLiteral("It probably took a lock once more, or gave one hold of it back, 20 s ago."));
    }
};

QTEST_MAIN(LockGroupsTest)
#include "tst_lock_groups.moc"
