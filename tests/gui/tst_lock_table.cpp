// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "ui/models/activity.h"
#include "ui/models/holder_model.h"
#include "ui/models/lock_filter_proxy.h"
#include "ui/models/lock_groups.h"
#include "ui/models/roles.h"
#include "ui/models/wait_groups.h"
#include "ui/models/waiter_model.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_export.h"
#include "ui/text/lock_text.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QRandomGenerator>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;
using Column = LockTableModel::Column;

namespace {

const Now Start{ MonoTime(std::chrono::hours(100)), WallTime(std::chrono::hours(490'000)) };

MonoTime fixedNow() { return Start.mono; }

using Locks = std::vector<LockTableModel::Lock>;

Locks named(const std::vector<std::string> &names)
{
    Locks locks;
    for (const std::string &name : names)
        locks.push_back(makeLock(name, Start.mono));
    return locks;
}

/// Waited for by one thread a letter.
LockTableModel::Lock queue(const LockName &name, const char *threads)
{
    auto lock = makeLock(name, Start.mono);
    for (; *threads != 0; ++threads) {
        Waiter waiter;
        waiter.owner = { "client", std::string(1, *threads) };
        lock->waiters.push_back(waiter);
    }
    return lock;
}

/// By time to live: the older the renewal, the nearer to the top.
Locks renewedAgo(const std::vector<std::pair<std::string, int>> &secondsByName)
{
    Locks locks;
    for (const auto &[name, seconds] : secondsByName)
        locks.push_back(makeLock(name, Start.mono, std::chrono::seconds(seconds)));
    return locks;
}

QString shown(const LockFilterProxy &proxy)
{
    QStringList names;
    for (int row = 0; row < proxy.rowCount(); ++row)
        names << proxy.index(row, Column::Name).data().toString();
    return names.join(QLatin1Char(' '));
}

} // namespace

class LockTableTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTheRulesOfModels()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
        proxy.sort(Column::Ttl);
        model.setLocks(sampleSnapshot(Start)->locks);
        model.setLocks(named({ "a", "c", "order:{8812}:pay" }));
        proxy.setFilter(*LockFilter::parse("kind:reentrant"));
        model.setLocks(sampleSnapshot(Start)->locks);
        proxy.refresh();
        model.clear();
        model.setLocks({});
        QCOMPARE(proxy.rowCount(), 0);
    }

    void reportsOnlyWhatDiffers()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        Locks locks = named({ "a", "b", "c", "d" });
        model.setLocks(locks);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        locks[1] = std::make_shared<LockState>(*locks[1]); // another object that says the same
        model.setLocks(locks);
        QCOMPARE(changed.size(), 0);
        locks[2] = makeLock("c", Start.mono, Millis(5'000));
        model.setLocks(locks);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.front().front().toModelIndex().row(), 2);
        QCOMPARE(reset.size(), 0);
    }

    void sortsAgainOnlyWhenARowMayStandElsewhere()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        proxy.sort(Column::Ttl);
        proxy.setFilter(*LockFilter::parse("waiters:0"));
        Locks locks = renewedAgo({ { "a", 1 }, { "b", 2 }, { "c", 3 } });
        model.setLocks(locks);
        proxy.refresh();
        QCOMPARE(shown(proxy), QStringLiteral("c b a"));
        QSignalSpy sorted(&proxy, &QAbstractItemModel::layoutChanged);
        const auto change = [&](auto how) {
            auto changed = std::make_shared<LockState>(*locks[1]);
            how(*changed);
            locks[1] = changed;
            model.setLocks(locks);
            sorted.clear();
            proxy.refresh();
        };
        change([](LockState &lock) { lock.renewals += 1; });
        QCOMPARE(sorted.size(), 0);
        change([](LockState &lock) { lock.expiresAt = Start.mono + Millis(90'000); });
        QVERIFY(sorted.size() > 0);
        QCOMPARE(shown(proxy), QStringLiteral("c a b"));
        change([](LockState &lock) { lock.subscribers = 2; });
        QCOMPARE(shown(proxy), QStringLiteral("c a"));
    }

    /// Each holder of a faster multi-lock has a time of its own, and who ran out stays in the hash.
    void whoRanOutHoldsNoFasterMultiLock()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        auto lock = makeLock("orders", Start.mono);
        lock->kind = Kind::FasterMulti;
        lock->holders.front().expired = true;
        const auto text = [&](Column column) { return model.index(0, column).data().toString(); };
        model.setLocks(Locks{ lock });
        for (const Column column : { Column::Ttl, Column::LeaseColumn, Column::HeldFor })
            QCOMPARE(text(column), QStringLiteral("–"));
        QVERIFY2(
            text(Column::HolderColumn).endsWith(QStringLiteral(", run out")), qPrintable(text(Column::HolderColumn)));
        QCOMPARE(model.index(0, Column::Ttl).data(TtlStateRole).toInt(), int(TtlState::Free));
        QVERIFY(!sortKeyOf(*lock, Column::Ttl).hasValue);

        auto other = std::make_shared<LockState>(*lock);
        other->holders = { lock->holders.front(), makeLock("orders", Start.mono)->holders.front() };
        model.setLocks(Locks{ other });
        QVERIFY(text(Column::Ttl) != QStringLiteral("–"));
        QCOMPARE(text(Column::HolderColumn), holderText(*makeLock("orders", Start.mono)));

        auto reader = std::make_shared<LockState>(*lock);
        reader->kind = Kind::ReadWrite; // it is counted for as long as the hash lives
        model.setLocks(Locks{ reader });
        QVERIFY(text(Column::Ttl) != QStringLiteral("–"));
    }

    void survivesACompleteExchange()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        Locks even;
        Locks odd;
        for (int i = 1000; i < 3000; ++i)
            (i % 2 ? odd : even).push_back(makeLock("lock:" + std::to_string(i), Start.mono));
        model.setLocks(even);
        model.setLocks(odd);
        QCOMPARE(model.rowCount(), 1000);
        QCOMPARE(model.rowOf("lock:1001"), 0);
        QCOMPARE(model.rowOf("lock:1000"), -1);
    }

    void tellsSeenFromUnknown()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        model.setLocks(sampleSnapshot(Start)->locks);
        const auto text
            = [&](const char *name, Column column) { return model.index(model.rowOf(name), column).data().toString(); };
        QCOMPARE(text("order:{8813}:pay", Column::HeldFor), QStringLiteral("7.0 s"));
        QCOMPARE(text("order:{8812}:pay", Column::HeldFor), QStringLiteral("≥ 4 m 12 s"));
        QCOMPARE(text("order:{8812}:pay", Column::Waiting), QStringLiteral("≥ 2"));
        QCOMPARE(text("order:{8812}:pay", Column::HolderColumn), QStringLiteral("b983c153…:41 ×2"));
        QCOMPARE(text("inventory:sku:1093", Column::Waiting), QStringLiteral("5"));
        QCOMPARE(text("maintenance:switch", Column::Waiting), QStringLiteral("?"));
        QCOMPARE(text("maintenance:switch", Column::Ttl), QStringLiteral("none"));
        QCOMPARE(text("maintenance:switch", Column::LeaseColumn), QStringLiteral("unknown"));
        QCOMPARE(text("mail:digest", Column::HolderColumn), QStringLiteral("–"));
        QCOMPARE(text("mail:digest", Column::Ttl), QStringLiteral("–"));
        QCOMPARE(text("mail:digest", Column::LastChangeColumn), QStringLiteral("probably expired 10 s ago"));
        QCOMPARE(text("user:5518:merge", Column::LastChangeColumn), QStringLiteral("renewal late"));
        QCOMPARE(text("billing:close", Column::LastChangeColumn), QStringLiteral("expires before release?"));
        QCOMPARE(text("report:monthly", Column::KindColumn), QStringLiteral("Read/Write · 14 readers"));
    }

    void showsALockOfAnotherLibraryByItsToken()
    {
        auto lock = makeLock("lock:order", Start.mono);
        lock->kind = Kind::Token;
        lock->holders.front().owner = { "5a1d3c1e8a9f11ee8c990242ac120002", "" };
        lock->subscribers.reset();
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        model.setLocks({ lock, makeLock("order", Start.mono) });
        proxy.setFilter(*LockFilter::parse("kind:token"));
        QCOMPARE(proxy.rowCount(), 1);
        const auto text = [&](Column column) { return proxy.index(0, column).data().toString(); };
        QCOMPARE(text(Column::Name), QStringLiteral("lock:order"));
        QCOMPARE(text(Column::KindColumn), QStringLiteral("Token"));
        QCOMPARE(text(Column::HolderColumn), QStringLiteral("5a1d3c1e…"));
        QCOMPARE(text(Column::Waiting), QStringLiteral("?"));
        QVERIFY(waitingExplanation(*lock, false).startsWith(QStringLiteral("Nobody can tell who waits")));
        HolderModel holders(clock);
        holders.setLock(lock);
        QCOMPARE(
            holders.index(0, HolderModel::Owner).data().toString(), QStringLiteral("5a1d3c1e8a9f11ee8c990242ac120002"));
    }

    void saysWhatALeaseIsInferredFrom()
    {
        auto lock = makeLock("a", Start.mono);
        lock->renewals = 2;
        QCOMPARE(leaseProof(*lock), QStringLiteral("watchdog (renewed twice)"));
        lock->lease = Lease::Unknown;
        lock->renewals = 1;
        QCOMPARE(leaseProof(*lock), QStringLiteral("lease unknown (renewed once)"));
        lock->holders.push_back(lock->holders.front()); // as readers do
        QCOMPARE(leaseProof(*lock), QStringLiteral("lease unknown (renewed once; each holder has its own)"));
        lock->holders.pop_back();
        lock->renewals = 0;
        QCOMPARE(leaseProof(*lock), QStringLiteral("lease unknown (no watchdog's renewal seen yet)"));
    }

    void countsDownByTheClock()
    {
        MonoTime now = Start.mono;
        ViewClock clock([&now] { return now; });
        LockTableModel model(clock);
        model.setLocks(named({ "a" }));
        const QModelIndex ttl = model.index(0, Column::Ttl);
        QCOMPARE(ttl.data().toString(), QStringLiteral("30.0 s"));
        now += Millis(12'300);
        QCOMPARE(ttl.data(TtlRole).toLongLong(), 17'700);
        clock.freezeAt(Start.mono + Millis(1'000));
        QCOMPARE(ttl.data().toString(), QStringLiteral("29.0 s"));
        clock.freezeAt(std::nullopt);
        now += Millis(60'000);
        QCOMPARE(ttl.data().toString(), QStringLiteral("0.0 s"));
    }

    /// Redis takes an empty name as any other; in secondary style, as a lock may have this very name.
    void showsThatANameIsEmpty()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        model.setLocks(LockList{ makeLock("", Start.mono), makeLock("(empty name)", Start.mono) });
        const QModelIndex empty = model.index(0, Column::Name);
        const QModelIndex other = model.index(1, Column::Name);
        QCOMPARE(empty.data().toString(), QStringLiteral("(empty name)"));
        QCOMPARE(other.data().toString(), QStringLiteral("(empty name)"));
        QVERIFY(empty.data(ItalicRole).toBool() && !other.data(ItalicRole).toBool());
        QVERIFY(empty.data(Qt::ToolTipRole).toString().contains(QStringLiteral("(empty name)")));
    }

    void sortsByRawValues()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        model.setLocks(sampleSnapshot(Start)->locks);
        const auto first = [&](Column column, Qt::SortOrder order) {
            proxy.sort(column, order);
            return proxy.lockAt(proxy.index(0, 0))->name;
        };
        QCOMPARE(first(Column::Waiting, Qt::DescendingOrder), LockName("inventory:sku:1093"));
        QCOMPARE(first(Column::Ttl, Qt::AscendingOrder), LockName("billing:close"));
        QCOMPARE(first(Column::Ttl, Qt::DescendingOrder), LockName("maintenance:switch"));
        QCOMPARE(first(Column::HeldFor, Qt::DescendingOrder), LockName("maintenance:switch"));
        QCOMPARE(proxy.lockAt(proxy.index(proxy.rowCount() - 1, 0))->name, LockName("mail:digest"));
        QCOMPARE(first(Column::Name, Qt::AscendingOrder), LockName("billing:close"));
    }

    /// Whoever has got it since they were counted may have been one of them.
    void ordersAndAddsUpWhoWaitsAsRowsSayIt()
    {
        const auto listened = [](const LockName &name, std::int64_t counted, std::int64_t taken) {
            auto lock = makeLock(name, Start.mono);
            lock->subscribers = counted;
            lock->takenSinceCount = taken;
            return lock;
        };
        const Locks locks{ listened("a", 5, 4), listened("b", 2, 0), listened("c", 3, 3) };
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        model.setLocks(locks);
        proxy.sort(Column::Waiting, Qt::DescendingOrder);
        QStringList rows;
        for (int row = 0; row < proxy.rowCount(); ++row)
            rows << proxy.index(row, Column::Name).data().toString() + QLatin1Char(' ')
                    + proxy.index(row, Column::Waiting).data().toString();
        QCOMPARE(rows, (QStringList{ QStringLiteral("b ≥ 2"), QStringLiteral("a ≥ 1"), QStringLiteral("c ?") }));
        QCOMPARE(model.index(2, Column::Waiting).data(ToneRole).toInt(), int(Tone::Muted));
        QVERIFY(waitingExplanation(*locks[2], false).contains(QStringLiteral("may have got it since")));
        proxy.setFilter(*LockFilter::parse("waiters:>2"));
        QCOMPARE(proxy.rowCount(), 0);
        LockCounter counter;
        const LockCounts counts = counter.count({ locks[0], locks[1], locks[2] });
        QCOMPARE(counts.waiting, 3);
        QCOMPARE(counts.busiest, std::optional<LockName>("b"));
        QCOMPARE(countsText(countsOf(*locks[0], false), true, {}), QStringLiteral("1 lock · ≥ 1 waiting"));
        Snapshot snapshot;
        snapshot.locks = { locks[0], locks[1], locks[2] };
        const auto table = lockExport(locks, Start, snapshot, nullptr, ExportFormat::Csv);
        QCOMPARE(table.rows.at(0).at(9), std::string("1"));
        QCOMPARE(table.rows.at(2).at(9), std::string("unknown"));
        std::int64_t blocked = 0;
        const WaitedLocks waited(snapshot, snapshot.locks, {});
        for (const auto &[first, group] : waited.groups())
            blocked += waited.weightOf(group).blocked;
        QCOMPARE(blocked, 3);
    }

    void sumsUpNoQueueThatGoesOnAsExact()
    {
        auto lock = makeLock("long", Start.mono);
        for (std::size_t i = 0; i < 1'000; ++i)
            lock->waiters.push_back({ { "client", std::to_string(i) }, {}, {}, {}, {}, {} });
        LockCounter counter;
        QVERIFY(!counter.count({ lock }).allKnown); // as its row says: ≥ 1,000
    }

    /// Of servers that are not seen nobody knows who waits there.
    void claimsNothingOfWhoWaitsOnServersOutOfSight()
    {
        auto lock = makeLock("red", Start.mono);
        lock->node = {};
        lock->quorum = Quorum{ 2, 1, 3 };
        lock->subscribers = 0;
        const auto waiting = [&] {
            ViewClock clock(fixedNow);
            LockTableModel model(clock);
            model.setLocks({ lock });
            const QModelIndex cell = model.index(0, Column::Waiting);
            return QStringList{ cell.data().toString(), cell.data(Qt::ToolTipRole).toString() };
        };
        QCOMPARE(waiting().at(0), QStringLiteral("?"));
        QVERIFY2(!waiting().at(1).contains(QStringLiteral("is subscribed")), qPrintable(waiting().at(1)));
        QVERIFY2(waiting().at(1).contains(QStringLiteral("1 of its 3 servers")), qPrintable(waiting().at(1)));
        Snapshot snapshot;
        snapshot.locks = { lock };
        LockCounter counter;
        QVERIFY(!counter.count(snapshot.locks).allKnown);
        QCOMPARE(
            lockExport({ lock }, Start, snapshot, nullptr, ExportFormat::Csv).rows.at(0).at(9), std::string("unknown"));

        lock = std::make_shared<LockState>(*lock);
        lock->kind = Kind::Fair;
        lock->subscribers.reset();
        QCOMPARE(waiting().at(0), QStringLiteral("?"));
        QVERIFY2(!waiting().at(1).contains(QStringLiteral("The queue is empty.")), qPrintable(waiting().at(1)));
        lock->waiters = queue("red", "xy")->waiters;
        QCOMPARE(waiting().at(0), QStringLiteral("≥ 2"));
        QVERIFY2(waiting().at(1).contains(QStringLiteral("1 of its 3 servers")), qPrintable(waiting().at(1)));
        snapshot.locks = { lock };
        const auto row = lockExport({ lock }, Start, snapshot, nullptr, ExportFormat::Csv).rows.at(0);
        QCOMPARE(row.at(9), std::string("2"));
        QCOMPARE(row.at(10), std::string("at least"));
        const WaitedLocks waited(snapshot, snapshot.locks, {});
        for (const auto &[first, group] : waited.groups())
            QVERIFY(waited.weightOf(group).isBlockedAtLeast);
    }

    void filtersAndFindsThroughTheFilter()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        proxy.sort(Column::Name);
        model.setLocks(sampleSnapshot(Start)->locks);
        proxy.setFilter(*LockFilter::parse("order:"));
        QCOMPARE(proxy.rowCount(), 2);
        QVERIFY(proxy.indexOf("order:{8812}:pay").isValid());
        QVERIFY(!proxy.indexOf("billing:close").isValid());
    }

    /// Under the pointer no row moves, and still nothing that is shown may be what was not asked for.
    void tellsTheTruthOfTheFilterWhileTheOrderIsHeld()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
        proxy.sort(Column::Name);
        Locks locks{ queue("a", ""), queue("b", ""), queue("c", "xy"), queue("d", "") };
        model.setLocks(locks);
        proxy.setFilter(*LockFilter::parse("waiters:0"));
        QCOMPARE(shown(proxy), QStringLiteral("a b d"));
        proxy.holdOrder(true);
        locks[1] = queue("b", "xy");
        locks[2] = queue("c", "");
        model.setLocks(locks);
        proxy.refresh();
        QCOMPARE(shown(proxy), QStringLiteral("a b d c"));
        QCOMPARE(proxy.countMatching(), 3);
        for (int row = 0; row < proxy.rowCount(); ++row)
            QCOMPARE(proxy.index(row, Column::HolderColumn).data(StaleRole).toBool(), row == 1);
        QVERIFY(proxy.index(1, Column::Name).data(Qt::ToolTipRole).toString().contains(u"no longer matches"));
        QVERIFY(!proxy.index(0, Column::Name).data(Qt::ToolTipRole).toString().contains(u"no longer matches"));
        locks[1] = queue("b", "");
        model.setLocks(locks);
        proxy.refresh();
        QVERIFY(!proxy.index(1, Column::HolderColumn).data(StaleRole).toBool());
        locks[0] = queue("a", "xy");
        model.setLocks(locks);
        proxy.holdOrder(false);
        QCOMPARE(shown(proxy), QStringLiteral("b c d"));
    }

    void sortsWhatIsGoneBelowWhatIsThere()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        proxy.sort(Column::Name);
        model.setLocks(renewedAgo({ { "a", 1 }, { "b", 2 }, { "c", 3 } }));
        model.keepGone(true);
        proxy.holdOrder(true);
        model.setLocks(renewedAgo({ { "a", 1 }, { "c", 3 } }));
        QCOMPARE(shown(proxy), QStringLiteral("a b c")); // no row moves
        QCOMPARE(model.countThere(), 2); // and none counts that is gone
        QCOMPARE(proxy.countMatching(), 2);
        proxy.sort(Column::Ttl);
        QCOMPARE(shown(proxy), QStringLiteral("c a b"));
        proxy.sort(Column::Ttl, Qt::DescendingOrder);
        QCOMPARE(shown(proxy), QStringLiteral("a c b"));
    }

    void tellsNoNumberOfACounterThatIsGone()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        const auto pool = makeLock("pool", Start.mono);
        pool->kind = Kind::Semaphore;
        pool->holders.clear();
        pool->permits.emplace().available = 1;
        const auto stock = makeLock("stock", Start.mono);
        model.setLocks({ pool, stock });
        const auto holder = [&](int row) { return model.index(row, Column::HolderColumn).data().toString(); };
        QCOMPARE(holder(0), QStringLiteral("1 free"));
        const QString owner = holder(1);
        QVERIFY(owner.size() > 3);
        model.keepGone(true);
        model.setLocks({});
        QCOMPARE(holder(0), QStringLiteral("–"));
        QCOMPARE(holder(1), owner); // who had it last is known
    }

    void insertsNewRowsWhereTheyBelong()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
        proxy.sort(Column::Ttl);
        model.setLocks(renewedAgo({ { "b", 4 }, { "d", 8 }, { "f", 2 } }));
        QCOMPARE(shown(proxy), QStringLiteral("d b f"));
        model.setLocks(renewedAgo({ { "a", 1 }, { "b", 4 }, { "c", 3 }, { "d", 8 }, { "e", 9 }, { "f", 2 } }));
        QCOMPARE(shown(proxy), QStringLiteral("e d b c f a"));
        proxy.sort(Column::Ttl, Qt::DescendingOrder);
        model.setLocks(renewedAgo({ { "b", 4 }, { "c", 3 }, { "d", 8 }, { "e", 9 }, { "g", 5 }, { "h", 0 } }));
        QCOMPARE(shown(proxy), QStringLiteral("h c b g d e"));
    }

    void insertsBetweenRowsThatWaitToBeSorted()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        QSignalSpy sorted(&proxy, &QAbstractItemModel::layoutChanged);
        proxy.sort(Column::Ttl);
        proxy.setFilter(*LockFilter::parse("ttl:>15s"));
        model.setLocks(renewedAgo({ { "a", 8 }, { "b", 6 }, { "c", 4 }, { "d", 2 }, { "n", 20 } }));
        sorted.clear();
        // Changed rows keep their places, and the filter's verdict, until all are sorted.
        model.setLocks(renewedAgo({ { "a", 0 }, { "b", 29 }, { "c", 4 }, { "d", 2 }, { "n", 1 }, { "z", 5 } }));
        QCOMPARE(shown(proxy), QStringLiteral("a b z c d"));
        QCOMPARE(sorted.size(), 0);
        proxy.refresh();
        QCOMPARE(shown(proxy), QStringLiteral("z c d n a"));
    }

    /// Whatever comes, goes and changes, in whichever order it is shown: rows are those of a table that is made anew,
    /// and one that is referred to stays itself.
    void keepsOrderAndRowsThroughManyChanges()
    {
        const std::pair<Column, Qt::SortOrder> orders[]
            = { { Column::Ttl, Qt::AscendingOrder }, { Column::Ttl, Qt::DescendingOrder },
                  { Column::Name, Qt::DescendingOrder }, { Column::HolderColumn, Qt::AscendingOrder },
                  { Column::Waiting, Qt::DescendingOrder }, { Column::HeldFor, Qt::AscendingOrder } };
        QRandomGenerator random(11);
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QItemSelectionModel selection(&proxy);
        LockList locks;
        const auto changeSome = [&](int most) {
            LockList::Changes changes;
            for (int i = random.bounded(most); i >= 0; --i) {
                const LockName name = "lock:" + std::to_string(random.bounded(60));
                auto lock = makeLock(name, Start.mono, std::chrono::seconds(random.bounded(5)));
                lock->subscribers = random.bounded(3);
                if (random.bounded(4) == 0)
                    lock->holders.clear();
                else
                    lock->holders.front().owner.thread = std::to_string(random.bounded(4));
                changes[name] = random.bounded(3) == 0 ? nullptr : lock;
            }
            changes["lock:chosen"] = makeLock("lock:chosen", Start.mono, std::chrono::seconds(random.bounded(5)));
            locks.apply(changes);
        };
        for (int step = 0; step < 400; ++step) {
            const auto &[column, order] = orders[step / 20 % std::size(orders)];
            if (step % 20 == 0)
                proxy.sort(column, order);
            if (step % 50 == 0)
                proxy.setFilter(*LockFilter::parse(step % 100 == 0 ? "-waiters:1" : ""));
            changeSome(step % 7 == 0 ? 40 : 4);
            model.setLocks(locks);
            if (step == 0)
                selection.setCurrentIndex(
                    proxy.indexOf("lock:chosen"), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            if (step % 3 == 0)
                continue; // rows may stand elsewhere for a while
            proxy.sortChanged();
            LockFilterProxy anew(model);
            anew.setFilter(proxy.filter());
            anew.sort(column, order);
            QCOMPARE(shown(proxy), shown(anew));
            for (int row = 0; row < proxy.rowCount(); ++row)
                QCOMPARE(proxy.indexOf(proxy.lockAt(proxy.index(row, 0))->name).row(), row);
            QCOMPARE(selection.selectedRows().size(), 1);
            QCOMPARE(proxy.lockAt(selection.selectedRows().front())->name, LockName("lock:chosen"));
            QCOMPARE(selection.currentIndex().row(), selection.selectedRows().front().row());
        }
    }

    /// Rows that change alone are told, and no others.
    void tellsOnlyOfRowsThatMove()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        proxy.sort(Column::Ttl);
        model.setLocks(renewedAgo({ { "a", 5 }, { "b", 4 }, { "c", 3 }, { "d", 2 } }));
        QSignalSpy changed(&proxy, &QAbstractItemModel::dataChanged);
        QSignalSpy sorted(&proxy, &QAbstractItemModel::layoutChanged);
        QSignalSpy inserted(&proxy, &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&proxy, &QAbstractItemModel::rowsRemoved);
        model.setLocks(renewedAgo({ { "a", 5 }, { "b", 0 }, { "e", 1 }, { "f", 1 } })); // two that came are neighbours
        QCOMPARE(shown(proxy), QStringLiteral("a b e f"));
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.front().front().toModelIndex().row(), 1);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(sorted.size(), 0);
        proxy.sortChanged();
        QCOMPARE(shown(proxy), QStringLiteral("a e f b"));
        QCOMPARE(sorted.size(), 1);
        proxy.sortChanged();
        QCOMPARE(sorted.size(), 1);
    }

    void tellsOnHowManyIndependentServersALockIs()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        const auto onServers = [](int held, int unknown) {
            auto lock = makeLock("pay", Start.mono);
            lock->node = {};
            lock->quorum = Quorum{ held, unknown, 3 };
            for (const char *server : { "one:1", "two:2" }) {
                auto member = makeLock("pay", Start.mono);
                member->node = std::string(server);
                lock->members.push_back(member);
            }
            return Locks{ lock };
        };
        const QModelIndex kind = (model.setLocks(onServers(2, 0)), model.index(0, Column::KindColumn));
        QCOMPARE(kind.data().toString(), QStringLiteral("2 of 3 · Reentrant"));
        QCOMPARE(kind.data(ToneRole).toInt(), int(Tone::Normal));
        QVERIFY(kind.data(Qt::ToolTipRole).toString().contains(QStringLiteral("one:1, two:2")));
        model.setLocks(onServers(1, 1));
        QCOMPARE(kind.data().toString(), QStringLiteral("1–2 of 3 · Reentrant"));
        QVERIFY(kind.data(Qt::ToolTipRole).toString().contains(QStringLiteral("not known")));
        QCOMPARE(kind.data(ToneRole).toInt(), int(Tone::Warning));
        model.setLocks(onServers(1, 0));
        QVERIFY(kind.data(Qt::ToolTipRole).toString().contains(QStringLiteral("as a RedLock it is not held")));
        model.setLostServers({ "one:1" });
        QVERIFY(!kind.data(StaleRole).toBool());
        model.setLostServers({ "one:1", "two:2" });
        QVERIFY(kind.data(StaleRole).toBool());
    }

    /// What its holder did since is not known.
    void countsNoHoldBeyondTheLossOfItsServer()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        auto lock = makeLock("a", Start.mono);
        lock->node = "two:2";
        lock->readAtMono = Start.mono - Millis(20'000);
        lock->holders.front().since = { Start.mono - Millis(20'000), true };
        lock->waiters.push_back({ lock->holders.front().owner, {}, { Start.mono - Millis(10'000), true }, true });
        const Locks locks{ lock };
        auto snapshot = makeSnapshot(Start, locks);
        snapshot->nodes.resize(2);
        snapshot->nodes[0].node = "one:1";
        snapshot->nodes[1].node = "two:2";
        const auto heldFor = [&] {
            model.setSight(std::make_shared<const Snapshot>(*snapshot));
            return model.index(0, Column::HeldFor).data().toString();
        };
        model.setLocks(locks);
        snapshot->nodes[0].status.staleSince = Start.mono - Millis(15'000);
        QCOMPARE(heldFor(), QStringLiteral("20 s"));
        snapshot->nodes[1].status.staleSince = Start.mono - Millis(15'000);
        QCOMPARE(heldFor(), QStringLiteral("≥ 5.0 s"));

        HolderModel holders(clock);
        WaiterModel waiters(clock);
        holders.setLock(lock);
        waiters.setLock(lock);
        waiters.setSeenUntil(Start.mono - Millis(4'000));
        holders.setSeenUntil(Start.mono - Millis(15'000));
        QCOMPARE(holders.index(0, HolderModel::HeldFor).data().toString(), QStringLiteral("≥ 5.0 s"));
        QCOMPARE(waiters.index(0, WaiterModel::WaitingFor).data().toString(), QStringLiteral("≥ 6.0 s"));
    }

    /// Whether its watchdog is late since then is not known either.
    void leavesTheTimeToLiveAsItWasWhenItsServerWasLost()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        LockFilterProxy proxy(model);
        auto lock = makeLock("a", Start.mono - Millis(20'000));
        lock->node = "two:2";
        const Locks locks{ lock };
        auto snapshot = makeSnapshot(Start, locks);
        snapshot->nodes.resize(2);
        snapshot->nodes[0].node = "one:1";
        snapshot->nodes[1].node = "two:2";
        const auto look = [&] { model.setSight(std::make_shared<const Snapshot>(*snapshot)); };
        look();
        model.setLocks(locks);
        const QModelIndex ttl = model.index(0, Column::Ttl);
        const QModelIndex change = model.index(0, Column::LastChangeColumn);
        QCOMPARE(ttl.data().toString(), ttlText(Millis(10'000)));
        QCOMPARE(ttl.data(TtlRole).toLongLong(), 10'000);
        QCOMPARE(ttl.data(TtlStateRole).toInt(), int(TtlState::Late));
        QCOMPARE(change.data().toString(), QStringLiteral("renewal late"));
        proxy.setFilter(*LockFilter::parse("ttl:<15s"));
        QCOMPARE(proxy.rowCount(), 1);

        snapshot->nodes[1].status.staleSince = Start.mono - Millis(15'000);
        look();
        QCOMPARE(ttl.data().toString(), ttlText(Millis(25'000)));
        QCOMPARE(ttl.data(TtlRole).toLongLong(), 25'000);
        QCOMPARE(ttl.data(TtlStateRole).toInt(), int(TtlState::Watchdog));
        QCOMPARE(change.data().toString(), QStringLiteral("renewed 5.0 s ago"));
        QCOMPARE(change.data(ShortTextRole).toString(), QStringLiteral("renewed 5.0 s"));
        QCOMPARE(change.data(ToneRole).toInt(), int(Tone::Muted));
        proxy.refresh();
        QCOMPARE(proxy.rowCount(), 0);
        const auto exported
            = lockExport({ lock }, Start, *snapshot, nullptr, ExportFormat::Csv); // what a person takes along
        QVERIFY(std::ranges::find(exported.rows.front(), "25000") != exported.rows.front().end());

        HolderModel holders(clock);
        holders.setLock(lock);
        holders.setSeenUntil(Start.mono - Millis(15'000));
        const QModelIndex left = holders.index(0, HolderModel::Ttl);
        QCOMPARE(left.data().toString(), ttlText(Millis(25'000)));
        QCOMPARE(left.data(TtlRole).toLongLong(), 25'000);
        QCOMPARE(left.data(TtlStateRole).toInt(), int(TtlState::Watchdog));
    }

    void showsHostileNamesAsText()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        model.setLocks(named({ "<b>x</b>\n\xe2\x80\xae" }));
        const QModelIndex name = model.index(0, Column::Name);
        QCOMPARE(name.data().toString(), QStringLiteral("<b>x</b>\\x0a\\u{202e}"));
        QVERIFY(!name.data(Qt::ToolTipRole).toString().contains(QStringLiteral("<b>")));
        QCOMPARE(name.data(BytesRole).toByteArray(), QByteArray("<b>x</b>\n\xe2\x80\xae"));
    }

    void tellsOfLookAlikesInTheToolTipAlone()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        model.setLocks(makeSnapshot(Start, { makeLock("rep\xce\xbfrt", Start.mono) })->locks); // a Greek letter
        const QModelIndex name = model.index(0, Column::Name);
        QCOMPARE(name.data().toString(), QStringLiteral("rep\\u{03bf}rt"));
        QVERIFY(name.data(Qt::ToolTipRole).toString().contains(QStringLiteral("is Greek (U+03BF)")));
    }

    void listsHoldersAndQueue()
    {
        ViewClock clock(fixedNow);
        clock.setReference(Start);
        HolderModel holders(clock);
        WaiterModel waiters(clock);
        const QAbstractItemModelTester one(&holders, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const QAbstractItemModelTester two(&waiters, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto snapshot = sampleSnapshot(Start);
        for (const auto &lock : snapshot->locks) {
            holders.setLock(lock);
            waiters.setLock(lock);
            QCOMPARE(holders.rowCount(), static_cast<int>(lock->holders.size()));
            QCOMPARE(waiters.rowCount(), static_cast<int>(lock->waiters.size()));
        }
        LockTableModel model(clock);
        model.setLocks(snapshot->locks);
        waiters.setLock(model.lockAt(model.rowOf("inventory:sku:1093")));
        const auto text = [&](int row, int column) { return waiters.index(row, column).data().toString(); };
        QCOMPARE(text(0, WaiterModel::Timeout), QStringLiteral("in 5 m 27 s"));
        QCOMPARE(text(0, WaiterModel::Note), QStringLiteral("next"));
        QCOMPARE(text(3, WaiterModel::Timeout), QStringLiteral("overdue 2 m 00 s"));
        QCOMPARE(text(3, WaiterModel::Note), QStringLiteral("ghost: client gone?"));
        QVERIFY(text(3, WaiterModel::WaitingFor).startsWith(QStringLiteral("≥ ")));

        auto overdue = std::make_shared<LockState>(*model.lockAt(model.rowOf("inventory:sku:1093")));
        std::swap(overdue->waiters.front(), overdue->waiters[3]);
        waiters.setLock(overdue);
        QCOMPARE(text(0, WaiterModel::Note), QStringLiteral("ghost: client gone? · dropped next"));
        overdue->waiters.front().deadline = Start.wall + Millis(60'000);
        waiters.setLock(std::make_shared<LockState>(*overdue)); // it is not dropped yet, and who is behind it waits on
        QCOMPARE(text(0, WaiterModel::Note), QStringLiteral("ghost: client gone? · next"));
        waiters.setLock(nullptr);
        QCOMPARE(waiters.rowCount(), 0);
    }

    /// Of a lock that is gone, and of whose end it is known only that it is over.
    void countsNoHoldBeyondItsEnd()
    {
        ViewClock clock(fixedNow);
        auto lock = makeLock("a", Start.mono);
        lock->holders.front().since = { Start.mono - Millis(20'000), true };
        lock->holders.front().expiresAt = lock->expiresAt = Start.mono - Millis(12'000);
        HolderModel holders(clock);
        holders.setLock(lock);
        const auto heldFor = [&] { return holders.index(0, HolderModel::HeldFor).data().toString(); };
        holders.setEnd(Start.mono);
        QCOMPARE(heldFor(), QStringLiteral("8.0 s"));
        holders.setSeenUntil(Start.mono - Millis(15'000)); // it may have been given back after that, or renewed
        QCOMPARE(heldFor(), QStringLiteral("≥ 5.0 s"));
        holders.setSeenUntil(std::nullopt);
        holders.setEnd(Start.mono - Millis(16'000));
        QCOMPARE(heldFor(), QStringLiteral("4.0 s"));
    }

    void keepsTheChosenWaiterWhereverItStands()
    {
        ViewClock clock(fixedNow);
        WaiterModel waiters(clock);
        const QAbstractItemModelTester tester(&waiters, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QItemSelectionModel selection(&waiters);
        const auto chosen = [&] {
            const auto rows = selection.selectedRows();
            return rows.isEmpty() ? QByteArray() : rows.front().data(BytesRole).toByteArray();
        };
        const auto order = [&] {
            QByteArray threads;
            for (int row = 0; row < waiters.rowCount(); ++row)
                threads += waiters.index(row, 0).data(BytesRole).toByteArray().back();
            return threads;
        };
        waiters.setLock(queue("stock", "abcd"));
        selection.select(waiters.index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        for (const char *queued : { "bcd", "ce", "fghec", "cc", "acbc" }) {
            waiters.setLock(queue("stock", queued));
            QCOMPARE(order(), QByteArray(queued));
            QCOMPARE(chosen(), QByteArray("client:c"));
        }
        waiters.setLock(queue("stock", "ab"));
        QCOMPARE(order(), QByteArray("ab"));
        QCOMPARE(chosen(), QByteArray());
        selection.select(waiters.index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
        waiters.setLock(queue("another", "ab"));
        QCOMPARE(chosen(), QByteArray());
    }

    /// Of a faster multi-lock whose first holder has run out the other one is shown: its name gives way, not its
    /// thread.
    void givesTheNameOfTheHolderThatIsShown()
    {
        ViewClock clock(fixedNow);
        QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        ClientNames names(settings);
        names.setName("gone", QStringLiteral("billing"));
        names.setName("there", QStringLiteral("shipping"));
        auto lock = makeLock("multi", Start.mono);
        lock->kind = lockcore::synchronizers::Kind::FasterMulti;
        Holder gone = lock->holders.front();
        gone.owner = { "gone", "1" };
        gone.expired = true;
        Holder there = lock->holders.front();
        there.owner = { "there", "2" };
        lock->holders = { gone, there };
        LockTableModel model(clock);
        model.setClientNames(&names);
        model.setLocks(makeSnapshot(Start, { lock })->locks);
        const QModelIndex holder = model.index(0, Column::HolderColumn);
        QVERIFY2(holder.data().toString().contains(QStringLiteral("shipping")), qPrintable(holder.data().toString()));
        QCOMPARE(holder.data(ClientNameRole).toString(), QStringLiteral("shipping"));
    }
};

QTEST_GUILESS_MAIN(LockTableTest)
#include "tst_lock_table.moc"
