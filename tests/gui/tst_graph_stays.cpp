// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees of the wait graph stays where it is on the screen, whatever else comes and goes.
#include "tests/gui/graph_window.h"

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>

#include <chrono>
#include <map>

using namespace lockui;
using namespace lockcore;
using namespace std::chrono_literals;
using test::Deadlock;
using test::fair;
using testsupport::LockUser;
using testsupport::RedisServer;

namespace {

constexpr int Limit = 20'000;

struct Window : test::GraphWindow {
    using GraphWindow::GraphWindow;

    std::map<std::string, QPoint> places() // on the screen
    {
        test::doLayouts();
        std::map<std::string, QPoint> places;
        for (const WaitChain &chain : view().chains().chains)
            for (const ChainNode &node : chain.nodes)
                places[node.key] = view().viewport()->mapToGlobal(view().placeOf(node.key)->topLeft().toPoint());
        places["table"] = table().mapToGlobal(QPoint());
        return places;
    }
    bool isSettled() // what was there before is found by now
    {
        const auto snapshot = monitor.latest();
        return snapshot && snapshot->status.lastSweep
            && snapshot->takenAt.mono - snapshot->status.lastSweep->finishedAt > 4s;
    }
    bool hasFound(std::size_t chains) // all that there are
    {
        return QTest::qWaitFor([&] { return view().chains().chains.size() == chains && isSettled(); }, Limit);
    }
    void leave() { test::press(window, Qt::Key_2, Qt::ControlModifier); }
    QScrollBar &bar() { return *view().verticalScrollBar(); }
    QScrollBar &tableBar() { return *table().verticalScrollBar(); }
    std::optional<int> rowOf(const QString &lock)
    {
        for (int row = 0; row < table().model()->rowCount(); ++row)
            if (cell(row, ChainTableModel::Locks) == lock)
                return row;
        return std::nullopt;
    }
};

/// Chains of a head and one who waits, each by itself.
struct Crowd {
    LockUser heads;
    LockUser waiters;
    std::vector<LockUser::Acquired> waits;

    explicit Crowd(const RedisServer &server)
        : heads(server.endpoint())
        , waiters(server.endpoint())
    {
    }
    static LockName nameOf(int chain) { return "chain:" + std::to_string(chain); }
    bool add(int chain)
    {
        if (!heads.waitReady() || !waiters.waitReady() || !heads.tryLock(fair(nameOf(chain)), std::to_string(chain)))
            return false;
        addWaiter(chain, 0);
        return true;
    }
    bool addAll(int chains)
    {
        for (int chain = 0; chain < chains; ++chain)
            if (!add(chain))
                return false;
        return true;
    }
    void addWaiter(int chain, int number)
    {
        const std::string thread = std::to_string(1'000 * (number + 1) + chain);
        waits.push_back(waiters.startAcquire({ fair(nameOf(chain)), thread, {}, {} }));
    }
};

void compareWhatWasThere(const std::map<std::string, QPoint> &before, const std::map<std::string, QPoint> &now)
{
    for (const auto &[key, place] : before) {
        QVERIFY2(now.contains(key), key.c_str());
        QVERIFY2(now.at(key) == place,
            qPrintable(QStringLiteral("%1 has moved by %2, %3")
                           .arg(QString::fromStdString(key))
                           .arg((now.at(key) - place).x())
                           .arg((now.at(key) - place).y())));
    }
}

} // namespace

class GraphStaysTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void whenADeadlockComesAndEnds()
    {
        Crowd crowd(m_server);
        QVERIFY(crowd.addAll(2));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QVERIFY(w.hasFound(2));
        const auto before = w.places();
        QSignalSpy scrolled(&w.bar(), &QScrollBar::valueChanged);
        Deadlock deadlock(m_server, Millis(8'000));
        QVERIFY(deadlock.begin());
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(isNamedBelow(w), Limit); // so it is noticed wherever it is drawn
        compareWhatWasThere(before, w.places());
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY(w.isSeen("lock left")); // there is room for it
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 0, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!isNamedBelow(w), Limit);
        compareWhatWasThere(before, w.places());
        QCOMPARE(scrolled.count(), 0);
    }

    void whenTheLastOfAllEndsAtTheEndOfThePicture()
    {
        constexpr int Chains = 7;
        Crowd crowd(m_server);
        QVERIFY(crowd.addAll(Chains));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QVERIFY(w.hasFound(Chains));
        Deadlock deadlock(m_server, Millis(6'000));
        QVERIFY(deadlock.begin());
        QTRY_VERIFY_WITH_TIMEOUT(w.deadlocks() == 1 && isNamedBelow(w), Limit);
        w.bar().setValue(w.bar().maximum());
        QVERIFY(w.isSeen("lock left"));
        const auto before = w.places();
        QSignalSpy scrolled(&w.bar(), &QScrollBar::valueChanged);
        QTRY_VERIFY_WITH_TIMEOUT(w.deadlocks() == 0 && !isNamedBelow(w), Limit); // what named it makes room
        QTRY_VERIFY_WITH_TIMEOUT(w.view().chains().chains.size() == Chains, Limit);
        auto stayed = before;
        for (const std::string &key : { std::string("lock left"), std::string("lock right"), deadlock.key(deadlock.one),
                 deadlock.key(deadlock.two) })
            QCOMPARE(stayed.erase(key), 1U);
        compareWhatWasThere(stayed, w.places());
        QCOMPARE(scrolled.count(), 0);
        const int beyond = w.bar().maximum();
        w.bar().setValue(0);
        QTRY_VERIFY_WITH_TIMEOUT(w.bar().maximum() < beyond, Limit); // what is empty is not kept for longer
    }

    /// So that nothing has to be scrolled sideways any longer.
    void whenTheWidestGetsNarrowAtTheEndOfThePicture()
    {
        constexpr int Chains = 7;
        Crowd crowd(m_server);
        QVERIFY(crowd.addAll(Chains));
        LockUser between(m_server.endpoint());
        LockUser last(m_server.endpoint());
        QVERIFY(between.waitReady() && last.waitReady() && between.tryLock(fair("passed on")));
        crowd.waits.push_back(between.startAcquire({ fair(Crowd::nameOf(0)), "1", {}, {} }));
        const auto passedOn = last.startAcquire({ fair("passed on"), "1", {}, {} });
        Window w(m_server.endpoint());
        w.window.resize(1'200, 900);
        QVERIFY(w.showGraph());
        const QScrollBar &sideways = *w.view().horizontalScrollBar();
        QVERIFY(w.hasFound(Chains));
        QTRY_VERIFY_WITH_TIMEOUT(sideways.isVisible(), Limit);
        QVERIFY(w.bar().maximum() > 0);
        w.bar().setValue(w.bar().maximum());
        auto stayed = w.places();
        QSignalSpy scrolled(&w.bar(), &QScrollBar::valueChanged);
        QVERIFY(between.release(fair("passed on")));
        QTRY_VERIFY_WITH_TIMEOUT(!sideways.isVisible(), Limit);
        QCOMPARE(stayed.erase("lock passed on"), 1U);
        QCOMPARE(stayed.erase("owner " + last.owner().toStdString()), 1U);
        compareWhatWasThere(stayed, w.places());
        QCOMPARE(scrolled.count(), 0);
    }

    void butWherePeopleMakeRoom()
    {
        constexpr int Chains = 7;
        Crowd crowd(m_server);
        QVERIFY(crowd.addAll(Chains));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QVERIFY(w.hasFound(Chains));
        const auto endsWithThePicture = [&] {
            test::doLayouts();
            const double end = w.view().frameOf(Chains - 1).bottom() + GraphLayout::Measures().gap;
            return w.bar().value() == w.bar().maximum() && end > w.view().viewport()->height() - 2;
        };
        w.bar().setValue(w.bar().maximum());
        QVERIFY(endsWithThePicture());
        const auto *handle = w.graph().findChild<QSplitter *>()->handle(1);
        const int before = w.bar().maximum();
        const test::Place from = test::middleOf(*handle);
        test::drag(from, { 0, 60 });
        QTRY_VERIFY_WITH_TIMEOUT(w.bar().maximum() < before, Limit);
        QVERIFY(endsWithThePicture());
        const QScrollBar &sideways = *w.view().horizontalScrollBar();
        w.window.resize(800, 700);
        QTRY_VERIFY_WITH_TIMEOUT(sideways.isVisible(), Limit);
        w.bar().setValue(w.bar().maximum());
        w.window.resize(1'440, 740);
        QTRY_VERIFY_WITH_TIMEOUT(!sideways.isVisible(), Limit); // which gives it more room once more
        QVERIFY(w.bar().value() > 0);
        QTRY_VERIFY_WITH_TIMEOUT(endsWithThePicture(), Limit);
    }

    /// Also before it is known that all is found that was there.
    void whenAPersonComesBack()
    {
        Crowd crowd(m_server);
        QVERIFY(crowd.addAll(2));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QTRY_VERIFY_WITH_TIMEOUT(w.view().chains().chains.size() == 2, Limit);
        const auto before = w.places();
        const LockName below = w.view().chains().chains.back().mainLock;
        w.leave();
        QVERIFY(!w.graph().isVisible());
        for (int number = 1; number < 4; ++number) // soon most time is lost at the one that stands below
            crowd.addWaiter(below == Crowd::nameOf(0) ? 0 : 1, number);
        Deadlock deadlock(m_server);
        QVERIFY(deadlock.begin());
        QTRY_VERIFY_WITH_TIMEOUT(isNamedBelow(w) && w.isSettled(), Limit);
        QVERIFY(w.showGraph());
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        QCOMPARE(w.view().chains().chains.at(1).mainLock, below);
        compareWhatWasThere(before, w.places());
        w.leave();
        QVERIFY(w.showGraph());
        compareWhatWasThere(before, w.places());
    }

    /// Though the row of the chosen lock does.
    void rowsThatAPersonLooksAt()
    {
        constexpr int Chains = 12;
        Crowd crowd(m_server);
        QVERIFY(crowd.addAll(Chains));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QVERIFY(w.hasFound(Chains));
        test::click(test::cellOf(w.table(), 0, ChainTableModel::Locks));
        const QString chosen = w.cell(0, ChainTableModel::Locks);
        test::moveTo(test::middleOf(w.view())); // so that the rows follow their order
        QVERIFY(w.tableBar().maximum() > 4 * w.table().rowHeight(0));
        w.tableBar().setValue(w.tableBar().maximum());
        const int seenFrom = w.tableBar().value();
        QSignalSpy scrolled(&w.tableBar(), &QScrollBar::valueChanged);
        for (int chain = 0; chain < Chains; ++chain)
            if (QString::fromStdString(Crowd::nameOf(chain)) != chosen)
                crowd.addWaiter(chain, 1);
        QTRY_VERIFY_WITH_TIMEOUT(w.rowOf(chosen) > Chains / 2, Limit);
        QVERIFY(crowd.add(Chains));
        QTRY_COMPARE_WITH_TIMEOUT(w.table().model()->rowCount(), Chains + 1, Limit);
        w.leave();
        QVERIFY(w.showGraph());
        QCOMPARE(w.tableBar().value(), seenFrom);
        w.leave();
        for (int number = 1; number < 12; ++number)
            crowd.addWaiter(QStringView(chosen).mid(6).toInt(), number);
        const auto first = [&w] {
            const auto snapshot = w.monitor.latest();
            return waitChains(*snapshot, snapshot->takenAt.mono).chains.front().mainLock;
        };
        QTRY_VERIFY_WITH_TIMEOUT(first() == chosen.toStdString(), Limit);
        QVERIFY(w.showGraph());
        QTRY_COMPARE(w.rowOf(chosen), 0);
        QCOMPARE(w.tableBar().value(), seenFrom);
        QCOMPARE(scrolled.count(), 0);
        test::click(w.node("lock " + w.cell(0, ChainTableModel::Locks).toStdString())); // chosen already
        QCOMPARE(w.tableBar().value(), seenFrom);
        for (int row = 0; row < 2; ++row) // chosen anew: its row is shown
            if (const auto lock = w.cell(row, ChainTableModel::Locks).toStdString(); w.isSeen("lock " + lock))
                test::click(w.node("lock " + lock));
        QVERIFY(w.tableBar().value() < seenFrom);
    }

private:
    static bool isNamedBelow(Window &w)
    {
        return test::saying<QLabel>(w.window, QStringLiteral("Deadlock (inferred)"));
    }

    RedisServer m_server;
};

QTEST_MAIN(GraphStaysTest)
#include "tst_graph_stays.moc"
