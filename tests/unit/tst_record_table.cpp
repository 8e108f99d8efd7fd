// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/record_table.h"

#include <QTest>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

namespace {

using namespace lockcore;

struct Record {
    std::shared_ptr<const std::string> name;
    int value = 0;
};

const LockName &lockNameOf(const Record &record) { return *record.name; }

using Table = RecordTable<Record>;

Record record(const std::string &name, int value = 0) { return { std::make_shared<const std::string>(name), value }; }

} // namespace

class TestRecordTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsNothingInNothing()
    {
        const Table table;
        QCOMPARE(table.find("a"), Table::None);
        QCOMPARE(table.size(), std::size_t{ 0 });
        QVERIFY(!table.has(0));
    }

    void findsByANameThatIsReplacedByItsEqual()
    {
        Table table;
        const auto number = table.add(record("a", 7));
        table[number].name = std::make_shared<const std::string>("a");
        QCOMPARE(table.find("a"), number);
        QCOMPARE(table[number].value, 7);
    }

    /// Removals leave no hole that hides another record: in a small table names collide all the time.
    void equalsAMapWhateverComesAndGoes()
    {
        std::mt19937 random(7);
        Table table;
        std::map<std::string, int> plain;
        for (int step = 0; step < 100'000; ++step) {
            const unsigned names = step % 30'000 < 15'000 ? 60 : 3'000;
            const auto name = "lock:" + std::to_string(random() % names);
            const auto number = table.find(name);
            QCOMPARE(number != Table::None, plain.contains(name));
            if (number == Table::None) {
                table.add(record(name, step));
                plain[name] = step;
            } else {
                QCOMPARE(table[number].value, plain[name]);
                if (random() % 2 == 0) {
                    table.erase(number);
                    plain.erase(name);
                }
            }
            QCOMPARE(table.size(), plain.size());
        }
        std::map<std::string, int> all;
        table.forEach([&](Table::Number, const Record &each) { all.emplace(*each.name, each.value); });
        QCOMPARE(all, plain);
    }

    void keepsNumbersAndGivesFreeOnesAgain()
    {
        Table table;
        std::set<Table::Number> numbers;
        for (int i = 0; i < 1'000; ++i)
            numbers.insert(table.add(record(std::to_string(i), i)));
        for (int i = 0; i < 1'000; i += 2)
            table.erase(table.find(std::to_string(i)));
        for (int i = 1; i < 1'000; i += 2)
            QCOMPARE(table[table.find(std::to_string(i))].value, i);
        for (int i = 1'000; i < 1'500; ++i)
            QVERIFY(numbers.contains(table.add(record(std::to_string(i), i))));
        QCOMPARE(table.numbers(), std::size_t{ 1'000 });
    }

    void mayBeEmptiedWhileVisited()
    {
        Table table;
        for (int i = 0; i < 100; ++i)
            table.add(record(std::to_string(i), i));
        table.forEach([&](Table::Number number, const Record &each) {
            if (each.value != 42)
                table.erase(number);
        });
        QCOMPARE(table.size(), std::size_t{ 1 });
        QVERIFY(table.find("42") != Table::None && table.find("41") == Table::None);
    }
};

QTEST_APPLESS_MAIN(TestRecordTable)

#include "tst_record_table.moc"
