// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/row_diff.h"

#include <QRandomGenerator>
#include <QTest>
#include <map>

using namespace lockui;

namespace {

using Row = std::pair<int, int>; // key, content
using Rows = std::vector<Row>;

RowDiff diff(const Rows &before, const Rows &after)
{
    return diffRows(
        before, after, [](const Row &a, const Row &b) { return a.first < b.first; },
        [](const Row &a, const Row &b) { return a == b; });
}

/// As a model does it.
Rows apply(Rows rows, const Rows &after, const RowDiff &changes)
{
    for (auto range = changes.removed.rbegin(); range != changes.removed.rend(); ++range)
        rows.erase(rows.begin() + range->first, rows.begin() + range->first + range->count);
    for (const RowRange &range : changes.inserted)
        rows.insert(rows.begin() + range.first, after.begin() + range.first, after.begin() + range.first + range.count);
    for (const RowRange &range : changes.changed)
        for (int row = range.first; row < range.first + range.count; ++row)
            rows[static_cast<std::size_t>(row)] = after[static_cast<std::size_t>(row)];
    return rows;
}

Rows randomRows(QRandomGenerator &random)
{
    std::map<int, int> rows;
    for (quint32 i = random.bounded(20U); i > 0; --i)
        rows[random.bounded(25)] = random.bounded(2);
    return { rows.begin(), rows.end() };
}

} // namespace

class RowDiffTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysNothingWhenNothingChanged()
    {
        const RowDiff changes = diff({ { 1, 1 }, { 2, 2 } }, { { 1, 1 }, { 2, 2 } });
        QVERIFY(changes.removed.empty() && changes.inserted.empty() && changes.changed.empty());
    }

    void joinsNeighbours()
    {
        const RowDiff changes
            = diff({ { 1, 0 }, { 2, 0 }, { 3, 0 }, { 9, 0 } }, { { 3, 1 }, { 5, 0 }, { 6, 0 }, { 9, 1 } });
        QCOMPARE(changes.removed, (std::vector<RowRange>{ { 0, 2 } }));
        QCOMPARE(changes.inserted, (std::vector<RowRange>{ { 1, 2 } }));
        QCOMPARE(changes.changed, (std::vector<RowRange>{ { 0, 1 }, { 3, 1 } }));
    }

    void leadsFromAnyListToAnyOther()
    {
        QRandomGenerator random(42);
        for (int i = 0; i < 2'000; ++i) {
            const Rows before = randomRows(random);
            const Rows after = randomRows(random);
            QCOMPARE(apply(before, after, diff(before, after)), after);
        }
    }
};

QTEST_APPLESS_MAIN(RowDiffTest)
#include "tst_row_diff.moc"
