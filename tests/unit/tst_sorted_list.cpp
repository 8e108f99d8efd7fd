// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/sorted_list.h"

#include <QTest>
#include <algorithm>
#include <random>
#include <set>

namespace {

using namespace lockcore;
using namespace lockcore::monitor;

struct Value {
    LockName name;
};

const LockName &lockNameOf(const Value &value) { return value.name; }

using List = SortedList<Value>;
using Plain = std::map<LockName, List::Pointer>;

List::Pointer value(const LockName &name) { return std::make_shared<const Value>(Value{ name }); }

LockName numbered(int number)
{
    const auto digits = std::to_string(number);
    return "lock:" + std::string(6 - digits.size(), '0') + digits;
}

List listOf(int count)
{
    std::vector<List::Pointer> values;
    for (int i = 0; i < count; ++i)
        values.push_back(value(numbered(i)));
    return values;
}

bool isSame(const List &list, const Plain &plain)
{
    return list.size() == plain.size()
        && std::equal(list.begin(), list.end(), plain.begin(), plain.end(),
            [](const auto &one, const auto &other) { return one == other.second; });
}

} // namespace

class TestSortedList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isEmptyAtFirst()
    {
        List list;
        QVERIFY(list.empty() && list.begin() == list.end());
        QVERIFY(!list.find("a"));
        list.apply({ { "a", nullptr } });
        QVERIFY(list.empty());
    }

    void equalsAPlainMapAfterAnyChanges_data()
    {
        QTest::addColumn<int>("names");
        QTest::addColumn<int>("changes");
        QTest::newRow("few") << 20 << 3;
        QTest::newRow("many") << 2'000 << 30;
        QTest::newRow("many at once") << 5'000 << 2'000;
    }

    void equalsAPlainMapAfterAnyChanges()
    {
        QFETCH(int, names);
        QFETCH(int, changes);
        std::mt19937 random(7);
        List list;
        Plain plain;
        for (int round = 0; round < 200; ++round) {
            const bool shrinks = round % 40 > 25; // by far
            List::Changes some;
            for (int i = 0; i < changes; ++i) {
                const auto name = numbered(static_cast<int>(random() % static_cast<unsigned>(names)));
                some[name] = random() % 8 < (shrinks ? 7u : 2u) ? nullptr : value(name);
            }
            for (const auto &[name, next] : some) {
                if (next)
                    plain[name] = next;
                else
                    plain.erase(name);
            }
            const List before = list;
            list.apply(some);
            QVERIFY(isSame(list, plain));

            std::set<LockName> differing;
            forEachDifference(before, list, [&](const auto &was, const auto &is) {
                const auto &name = was ? was->name : is->name;
                QCOMPARE(was, before.find(name));
                QCOMPARE(is, list.find(name));
                differing.insert(name);
            });
            for (const auto &[name, next] : some)
                QCOMPARE(differing.contains(name), before.find(name) != next);
            QVERIFY(
                std::all_of(differing.begin(), differing.end(), [&](const auto &name) { return some.contains(name); }));
        }
    }

    void findsByNameAndPlace()
    {
        const auto list = listOf(1'000);
        for (int i = 0; i < 1'000; ++i) {
            QCOMPARE(list.find(numbered(i))->name, numbered(i));
            QCOMPARE(list[static_cast<std::size_t>(i)]->name, numbered(i));
            QCOMPARE(list.lowerBound(numbered(i)) - list.begin(), std::ptrdiff_t{ i });
            QCOMPARE(list.upperBound(numbered(i)) - list.begin(), std::ptrdiff_t{ i + 1 });
            QCOMPARE((list.end() - (1'000 - i))->get()->name, numbered(i));
        }
        QCOMPARE(list.lowerBound("lock:000500x") - list.begin(), std::ptrdiff_t{ 501 });
        QVERIFY(list.lowerBound("z") == list.end());
        QVERIFY(list.upperBound("a") == list.begin());
        QVERIFY(!list.find("lock:000500x") && !list.find("a") && !list.find("z"));
    }

    void goesBothWays()
    {
        const auto list = listOf(1'000);
        auto place = list.end();
        for (int i = 999; i >= 0; --i)
            QCOMPARE((*--place)->name, numbered(i));
        QVERIFY(place == list.begin());
        QVERIFY(list.begin() < list.end());
    }

    void keepsWhatItWasBefore()
    {
        auto list = listOf(1'000);
        const auto before = list;
        list.apply({ { numbered(500), nullptr } });
        QCOMPARE(before.size(), std::size_t{ 1'000 });
        QCOMPARE(list.size(), std::size_t{ 999 });
        QVERIFY(before.find(numbered(500)) && !list.find(numbered(500)));
    }

    /// What makes a change cheap: of a thousand locks those around it are copied, and no others.
    void sharesWhatDidNotChange()
    {
        auto list = listOf(10'000);
        const auto uses = [&](int number) { return list.find(numbered(number)).use_count() - 1; };
        const auto before = list;
        list.apply({ { numbered(5'000), value(numbered(5'000)) } });
        int copied = 0;
        for (int i = 0; i < 10'000; ++i)
            copied += uses(i) > 1 ? 1 : 0;
        QVERIFY2(copied > 0 && copied < 300, qPrintable(QString::number(copied)));
    }
};

QTEST_APPLESS_MAIN(TestSortedList)

#include "tst_sorted_list.moc"
