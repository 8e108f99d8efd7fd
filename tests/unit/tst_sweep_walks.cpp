// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/sessions/sweep_walks.h"

#include <QTest>
#include <algorithm>
#include <deque>
#include <numeric>
#include <vector>

using namespace lockcore;

namespace {

/// Buckets of a hash table, walked as SCAN does: the cursor is counted from its highest bit down.
class Table {
public:
    explicit Table(int bits)
        : m_bits(bits)
    {
    }

    /// So many buckets from the cursor on; where the next page begins.
    std::string page(const std::string &cursor, int count)
    {
        unsigned position = reversed(static_cast<unsigned>(std::stoul(cursor)));
        for (int i = 0; i < count; ++i) {
            ++m_visits[position];
            position = (position + 1) % m_visits.size();
            if (position == 0)
                return "0";
        }
        return std::to_string(reversed(position));
    }
    bool sawEach() const
    {
        return std::all_of(m_visits.begin(), m_visits.end(), [](int visits) { return visits > 0; });
    }
    int visits() const { return std::accumulate(m_visits.begin(), m_visits.end(), 0); }

private:
    unsigned reversed(unsigned value) const
    {
        unsigned result = 0;
        for (int bit = 0; bit < m_bits; ++bit)
            result |= ((value >> bit) & 1U) << (m_bits - 1 - bit);
        return result;
    }

    int m_bits;
    std::vector<int> m_visits = std::vector<int>(std::size_t{ 1 } << m_bits);
};

} // namespace

class TestSweepWalks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void seesEachBucketWithTwoPagesUnderWay_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("most"); // visits
        QTest::newRow("a page is all") << 3 << 300 << 8;
        QTest::newRow("the first page goes beyond the middle") << 4 << 11 << 16;
        QTest::newRow("two long walks") << 10 << 30 << 1'024 + 30;
    }
    void seesEachBucketWithTwoPagesUnderWay()
    {
        QFETCH(const int, bits);
        QFETCH(const int, count);
        QFETCH(const int, most);
        Table table(bits);
        SweepWalks walks;
        std::deque<SweepWalks::Step> asked;
        std::size_t mostAsked = 0;
        while (!walks.areDone()) {
            while (auto step = walks.ask())
                asked.push_back(*step);
            mostAsked = std::max(mostAsked, asked.size());
            QVERIFY(!asked.empty());
            walks.came(asked.front(), table.page(asked.front().cursor, count));
            asked.pop_front();
        }
        QVERIFY(table.sawEach());
        QVERIFY2(table.visits() <= most, QByteArray::number(table.visits()).constData());
        QVERIFY(asked.empty());
        QCOMPARE(mostAsked, std::size_t{ bits == 10 ? 2U : 1U });
    }

    void goesBackToAPageThatFailed()
    {
        SweepWalks walks;
        const auto first = walks.ask();
        walks.came(*first, "4");
        const auto second = walks.askAfter(*first);
        const auto other = walks.ask();
        QVERIFY(second && other && other->cursor == "1");
        walks.failed(*first);
        QVERIFY(!walks.awaits(*second) && walks.awaits(*other));
        const auto again = walks.ask();
        QVERIFY(again && again->cursor == "0" && !walks.ask());
    }

    void isDoneByAsMuchAsBothWalksAre()
    {
        SweepWalks walks;
        const auto first = walks.ask();
        walks.came(*first, "2");
        QCOMPARE(walks.progress(*first, 0.25), 0.25);
        const auto second = walks.askAfter(*first);
        const auto other = walks.ask();
        walks.came(*other, "5");
        QCOMPARE(walks.progress(*other, 0.625), 0.375);
        walks.came(*second, "3");
        QCOMPARE(walks.progress(*second, 0.75), 0.625);
        QVERIFY(!walks.areDone());
    }
};

QTEST_GUILESS_MAIN(TestSweepWalks)
#include "tst_sweep_walks.moc"
