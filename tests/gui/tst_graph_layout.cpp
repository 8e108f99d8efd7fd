// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/waiting_locks.h"
#include "ui/charts/chain_painter.h"
#include "ui/models/chain_text.h"
#include "ui/models/graph_layout.h"
#include "ui/support/freshness.h"

#include <QApplication>
#include <QPainter>
#include <QTest>
#include <map>
#include <random>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;

namespace {

using Locks = std::vector<std::shared_ptr<const LockState>>;

const WaitCycle Circle{ { ownerOf("b"), "x", ownerOf("a") }, { ownerOf("a"), "y", ownerOf("b") } };

} // namespace

class GraphLayoutTest : public QObject {
    Q_OBJECT

    Now m_now = currentNow();
    WaitChains m_chains; // placed last

    std::map<std::string, QRectF> place(
        GraphLayout &layout, const Locks &locks, const std::vector<WaitCycle> &cycles = {})
    {
        auto snapshot = makeSnapshot(m_now, locks);
        snapshot->analysis = analysisWith(cycles, m_now.mono);
        m_chains = waitChains(*snapshot, m_now.mono);
        layout.place(m_chains);
        std::map<std::string, QRectF> places;
        for (std::size_t i = 0; i < m_chains.chains.size(); ++i)
            for (std::size_t node = 0; node < m_chains.chains[i].nodes.size(); ++node)
                places[m_chains.chains[i].nodes[node].key] = layout.placed()[i].nodes[node];
        return places;
    }
    std::shared_ptr<LockState> fair(
        const LockName &name, const std::string &holder, const std::vector<std::string> &waiters)
    {
        return fairLock(name, holder, waiters, m_now.mono);
    }

    Locks withDeadlock(Locks locks)
    {
        locks.push_back(fair("x", "a", { "b" }));
        locks.push_back(fair("y", "b", { "a" }));
        return locks;
    }

    /// Nothing lies on anything else, and all of a chain lies in its frame.
    void checkApart(const GraphLayout &layout) const
    {
        const auto &placed = layout.placed();
        QCOMPARE(placed.size(), m_chains.chains.size());
        for (std::size_t i = 0; i < placed.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!placed[i].frame.intersects(placed[j].frame));
            for (std::size_t a = 0; a < placed[i].nodes.size(); ++a) {
                QVERIFY(placed[i].frame.contains(placed[i].nodes[a]));
                for (std::size_t b = 0; b < a; ++b)
                    QVERIFY(!placed[i].nodes[a].intersects(placed[i].nodes[b]));
            }
            QVERIFY(layout.bounds().contains(placed[i].frame));
        }
    }

private Q_SLOTS:
    void hasTheHeadAtTheLeft()
    {
        GraphLayout layout;
        const auto places = place(layout, { fair("x", "a", { "b", "c" }), fair("y", "b", { "d" }) });
        const double pitch = layout.measures().columnPitch;
        const double left = places.at("owner a:1").left();
        QCOMPARE(places.at("lock x").left(), left + pitch);
        QCOMPARE(places.at("owner b:1").left(), left + 2 * pitch);
        QCOMPARE(places.at("owner d:1").left(), left + 4 * pitch);
        QCOMPARE(places.at("lock x").top(), places.at("owner a:1").top());
        QCOMPARE(places.at("owner c:1").top(), places.at("owner b:1").top() + layout.measures().rowPitch);
    }

    /// Each of two holds what the other stands in the queue for, and neither listens: it is no circle, and all stands
    /// in one row. What leads back passes below the boxes, and comes in beside what leads ahead.
    void drawsEachArrowWhereItIsSeen()
    {
        GraphLayout layout;
        auto first = fair("x", "a", { "b" });
        auto second = fair("y", "b", { "a" });
        for (const auto &lock : { first, second })
            lock->waiters.front().subscribed = false;
        const auto places = place(layout, { first, second });
        QCOMPARE(m_chains.chains.size(), std::size_t(1));
        QCOMPARE(m_chains.chains.front().edges.size(), std::size_t(4));
        const QRectF holder = places.at("owner a:1");
        const QRectF lock = places.at("lock x");
        const QRectF last = places.at("lock y");
        QCOMPARE(last.top(), holder.top());
        QVERIFY(holder.left() < lock.left() && lock.left() < last.left());

        const Theme theme(*qApp);
        const ViewClock clock([this] { return m_now.mono; });
        const ChainText text(clock);
        QImage image(layout.bounds().size().toSize(), QImage::Format_RGB32);
        image.fill(theme.colors().surface);
        {
            QPainter painter(&image);
            const ChainPainter::Look look{ m_now.mono, false, {}, {}, double(image.width()) };
            ChainPainter(painter, theme, text, look)
                .paint(m_chains.chains.front(), layout.placed().front(), layout.measures());
        }
        const auto isInked
            = [&](double x, double y) { return image.pixelColor(int(x), int(y)) != theme.colors().surface; };
        int below = 0; // the boxes, of so many places
        for (double x = lock.left(); x < lock.right(); ++x) {
            bool isBelow = false;
            for (double y = lock.bottom() + 2; y < lock.bottom() + 10; ++y)
                isBelow = isBelow || isInked(x, y);
            below += isBelow ? 1 : 0;
        }
        QVERIFY2(below > lock.width() / 3, qPrintable(QString::number(below))); // the line is broken
        QVERIFY(!isInked(holder.right() + 4, holder.center().y() + 1)); // no head where the line to x begins
        QVERIFY(isInked(lock.left() - 6, lock.center().y() + 1)); // but where it ends
    }

    void movesNothingWhenOthersComeAndGo()
    {
        GraphLayout layout;
        const Locks first{ fair("m", "a", { "b" }), fair("q", "c", { "d", "e" }), fair("t", "f", { "g" }) };
        const auto before = place(layout, first);
        Locks more = first;
        more.push_back(fair("a", "h", { "i", "j", "k" }));
        more.push_back(fair("n", "l", { "m" }));
        auto after = place(layout, more);
        for (const auto &[key, box] : before)
            QCOMPARE(after.at(key), box);
        more.erase(more.begin());
        after = place(layout, more); // one has gone
        for (const char *key : { "owner c:1", "lock q", "owner e:1", "lock t", "owner g:1" })
            QCOMPARE(after.at(key), before.at(key));
        QVERIFY(!layout.isArranged());
        more.push_back(fair("z", "y", { "x" }));
        QCOMPARE(place(layout, more).at("lock z").top(), before.at("lock m").top()); // where there is room
    }

    /// A waiter for another lock has left a cell free above the second of the queue.
    void drawsAQueueInItsOrder()
    {
        GraphLayout layout;
        place(layout, { fair("y", "a", { "b" }), fair("z", "a", { "p" }) });
        place(layout, { fair("y", "a", { "b", "c" }), fair("z", "a", { "p" }) });
        const auto before = place(layout, { fair("y", "a", { "b", "c" }) });
        const auto after = place(layout, { fair("y", "a", { "b", "c", "d" }) });
        QCOMPARE(after.at("owner c:1"), before.at("owner c:1"));
        QVERIFY(after.at("owner b:1").bottom() < after.at("owner c:1").top());
        QVERIFY(after.at("owner c:1").bottom() < after.at("owner d:1").top());
    }

    void growsWhereItStands()
    {
        GraphLayout layout;
        const auto before = place(layout, { fair("x", "a", { "b", "c" }) });
        const auto after = place(layout, { fair("x", "a", { "b", "c", "d", "e" }) });
        for (const auto &[key, box] : before)
            QCOMPARE(after.at(key), box);
    }

    /// There is room above it now, and nothing else has changed for it.
    void movesNothingInAChainWhenAnotherPartOfItShrinks()
    {
        GraphLayout layout;
        const auto locks = [this](const std::vector<std::string> &queue) {
            return Locks{ fair("x", "a", { "b", "c" }), fair("y", "b", queue), fair("z", "c", { "f" }) };
        };
        const auto before = place(layout, locks({ "d", "e" }));
        const auto after = place(layout, locks({ "d" }));
        for (const auto &[key, box] : after)
            QCOMPARE(box, before.at(key));
        QVERIFY(before.at("owner f:1").top() > before.at("owner e:1").top());
    }

    void movesUpWhoMovesUpInTheQueue()
    {
        GraphLayout layout;
        const auto before = place(layout, { fair("x", "a", { "b", "c" }) });
        const auto after = place(layout, { fair("x", "b", { "c" }) });
        QCOMPARE(after.at("lock x"), before.at("lock x"));
        QCOMPARE(after.at("owner c:1"), before.at("owner b:1"));
        QCOMPARE(after.at("owner b:1"), before.at("owner a:1"));
    }

    void putsDeadlocksAboveTheOthersWhereAllIsNew()
    {
        GraphLayout layout;
        const auto places = place(layout, withDeadlock({ fair("p", "c", { "d" }) }), { Circle });
        for (const char *key : { "lock x", "lock y", "owner a:1", "owner b:1" })
            QVERIFY(places.at(key).bottom() < places.at("lock p").top());
        QCOMPARE(places.at("lock x").left(), places.at("lock y").left()); // folded
        QVERIFY(places.at("owner a:1").left() != places.at("owner b:1").left());
        QVERIFY(layout.isArranged());
        checkApart(layout);
    }

    /// Neither they nor what is above them, so that whoever looks at them need not be led after them.
    void movesNothingWhenADeadlockComesAndEnds()
    {
        GraphLayout layout;
        const Locks others{ fair("p", "c", { "d" }), fair("q", "e", { "f" }) };
        const auto before = place(layout, others);
        const QPointF top = layout.bounds().topLeft();
        const auto during = place(layout, withDeadlock(others), { Circle });
        for (const auto &[key, box] : before)
            QCOMPARE(during.at(key), box);
        QCOMPARE(layout.bounds().topLeft(), top);
        QVERIFY(!layout.isArranged());
        checkApart(layout);
        QCOMPARE(place(layout, others), before);
        QCOMPARE(layout.bounds().topLeft(), top);
        QVERIFY(layout.isArranged());
    }

    void isADeadlockWhereItWasAChain()
    {
        GraphLayout layout;
        const Locks others{ fair("p", "c", { "d" }) };
        Locks chained = others;
        chained.push_back(fair("x", "a", { "b" }));
        const auto before = place(layout, chained);
        const auto during = place(layout, withDeadlock(others), { Circle });
        QCOMPARE(during.at("lock p"), before.at("lock p"));
        QVERIFY(layout.placed().front().frame.contains(before.at("lock x")));
        QCOMPARE(place(layout, chained).at("lock x"), before.at("lock x"));
    }

    void takesTheRoomOfADeadlockThatIsOver()
    {
        GraphLayout layout;
        const Locks others{ fair("p", "c", { "d" }) };
        const auto during = place(layout, withDeadlock(others), { Circle });
        auto after = place(layout, others);
        QCOMPARE(after.at("lock p"), during.at("lock p"));
        after = place(layout, { others.front(), fair("n", "l", { "m" }) });
        QCOMPARE(after.at("lock p"), during.at("lock p"));
        QVERIFY(after.at("lock n").top() < after.at("lock p").top());
    }

    void isArrangedInTheOrderOfTheChains()
    {
        GraphLayout layout;
        place(layout, { fair("x", "a", { "b" }), fair("y", "c", { "d" }), fair("z", "e", { "f" }) });
        place(layout, { fair("x", "a", { "b" }), fair("z", "e", { "f", "g", "h" }) });
        QVERIFY(!layout.isArranged());
        layout.arrange();
        layout.place(m_chains);
        QVERIFY(layout.isArranged());
        checkApart(layout);
        for (std::size_t i = 1; i < layout.placed().size(); ++i)
            QVERIFY(layout.placed()[i].frame.top() > layout.placed()[i - 1].frame.top());
    }

    /// What was placed and is the same in the next picture is where it was, whatever comes, goes, grows and shrinks.
    void staysApartAndStableWhateverHappens()
    {
        std::mt19937 random(20'261'126);
        const auto pick = [&](int most) { return std::uniform_int_distribution(0, most)(random); };
        const auto word = [&](int most) { return "o" + std::to_string(pick(most)); };
        for (int round = 0; round < 40; ++round) {
            GraphLayout layout;
            std::map<LockName, std::shared_ptr<const LockState>> locks;
            WaitChains before;
            std::vector<GraphLayout::PlacedChain> placedBefore;
            for (int step = 0; step < 60; ++step) {
                for (int change = pick(2); change >= 0; --change) {
                    const LockName name = "l" + std::to_string(pick(14));
                    std::vector<std::string> queue;
                    const std::string holder = word(30);
                    for (int i = pick(9); i > 0; --i)
                        if (const std::string waiter = word(30);
                            waiter != holder && std::ranges::find(queue, waiter) == queue.end())
                            queue.push_back(waiter);
                    locks[name]
                        = pick(3) == 0 ? listenedLock(name, holder, pick(4), m_now.mono) : fair(name, holder, queue);
                    if (pick(3) == 0)
                        locks.erase(name);
                }
                Locks list;
                for (const auto &[name, lock] : locks)
                    list.push_back(lock);
                place(layout, list);
                checkApart(layout);
                if (QTest::currentTestFailed())
                    return;
                std::size_t same = 0;
                for (std::size_t i = 0; i < m_chains.chains.size(); ++i)
                    for (std::size_t j = 0; j < before.chains.size(); ++j)
                        if (isSame(m_chains.chains[i], before.chains[j])) {
                            QCOMPARE(layout.placed()[i].nodes, placedBefore[j].nodes);
                            ++same;
                        }
                m_compared += same;
                before = m_chains;
                placedBefore = layout.placed();
            }
        }
        QVERIFY(m_compared > 1'000);
    }

private:
    static bool isSame(const WaitChain &a, const WaitChain &b)
    {
        return std::ranges::equal(a.nodes, b.nodes, [](const ChainNode &one, const ChainNode &other) {
            return one.key == other.key && one.column == other.column && one.parent == other.parent
                && one.place == other.place && one.state == other.state;
        });
    }

    std::size_t m_compared = 0;
};

QTEST_MAIN(GraphLayoutTest)
#include "tst_graph_layout.moc"
