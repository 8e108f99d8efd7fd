// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/palette_model.h"
#include "ui/models/palette_source.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace lockui;

namespace {

int score(const char *typed, const char *text)
{
    return FuzzyPattern(QString::fromUtf8(typed)).scoreOf(QString::fromUtf8(text)).value_or(-1);
}

std::vector<int> places(const char *typed, const char *text)
{
    return FuzzyPattern(QString::fromUtf8(typed)).placesIn(QString::fromUtf8(text));
}

PaletteEntry entry(const QString &text)
{
    return { PaletteKind::Action, text, {}, {}, {}, [] {} };
}

PaletteSources listOf(const QStringList &texts)
{
    std::vector<PaletteEntry> entries;
    for (const QString &text : texts)
        entries.push_back(entry(text));
    PaletteSources sources;
    sources.push_back(std::make_unique<PaletteList>(std::move(entries)));
    return sources;
}

/// So many entries, `order:0` and so on, and how many of them have been looked at.
class ManyOrders : public PaletteSource {
public:
    ManyOrders(std::size_t count, std::size_t &looked)
        : m_count(count)
        , m_looked(looked)
    {
    }

    std::size_t count() const override { return m_count; }
    QString text(std::size_t index) const override
    {
        ++m_looked;
        return nameOf(index);
    }
    PaletteEntry entry(std::size_t index) const override { return ::entry(nameOf(index)); }

private:
    static QString nameOf(std::size_t index) { return QStringLiteral("order:") + QString::number(index); }

    std::size_t m_count;
    std::size_t &m_looked;
};

PaletteSources orders(std::size_t count, std::size_t &looked)
{
    PaletteSources sources;
    sources.push_back(std::make_unique<ManyOrders>(count, looked));
    return sources;
}

QStringList shown(const PaletteModel &model)
{
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.rowAt(row).entry.text;
    return texts;
}

} // namespace

class PaletteSearchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsLettersInTheirOrder()
    {
        QVERIFY(score("frl", "Force release") > 0);
        QVERIFY(score("FORCE", "Force release") > 0);
        QCOMPARE(score("lf", "Force release"), -1);
        QCOMPARE(score("forces release now", "Force release"), -1);
        QCOMPARE(score("", "anything"), 0);
        QCOMPARE(score("x", ""), -1);
    }

    void scatteredLettersAreNoMatch()
    {
        QCOMPARE(score("audit", "xaxxxuxxxdxxxixxxtx"), -1);
        QCOMPARE(places("audit", "xaxxxuxxxdxxxixxxtx"), std::vector<int>());
        QVERIFY(score("stk17", "stock:17") > 0);
    }

    void findsWordsInAnyOrder()
    {
        QVERIFY(score("release force", "Force release") > 0);
        QCOMPARE(score("release pause", "Force release"), -1);
        QCOMPARE(places("re fo", "Force release"), (std::vector<int>{ 0, 1, 6, 7 }));
    }

    /// The better one comes first.
    void ranksWhatIsMeant_data()
    {
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<QByteArray>("better");
        QTest::addColumn<QByteArray>("worse");
        const auto row = [](const char *typed, const char *better, const char *worse) {
            QTest::newRow(typed) << QByteArray(typed) << QByteArray(better) << QByteArray(worse);
        };
        row("fr", "Force release", "afraid of it"); // beginnings of words
        row("rel", "Force release", "Renew slowly"); // letters that follow each other
        row("sku", "inventory:sku:1", "s:k:u:1:long");
        row("Order", "Order:1", "order:1"); // the same case
        row("pa", "Pause", "Copy a thing"); // the beginning of all
        row("lock", "lock", "lock:more"); // the whole
        row("of", "orderForm", "orderofm"); // camel's humps
        row("ab", "xa-b", "xa----b"); // little left out
    }

    void ranksWhatIsMeant()
    {
        QFETCH(QByteArray, typed);
        QFETCH(QByteArray, better);
        QFETCH(QByteArray, worse);
        QVERIFY(score(typed.constData(), worse.constData()) > 0);
        QVERIFY(score(typed.constData(), better.constData()) > score(typed.constData(), worse.constData()));
    }

    void marksTheLettersOfTheBestWay()
    {
        QCOMPARE(places("fr", "Force release"), (std::vector<int>{ 0, 6 })); // and not the r of `Force`
        QCOMPARE(places("ease", "Force release"), (std::vector<int>{ 9, 10, 11, 12 }));
        QCOMPARE(places("zz", "Force release"), std::vector<int>());
    }

    void showsTheBestFirst()
    {
        PaletteModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSources(listOf({ QStringLiteral("afraid of it"), QStringLiteral("nothing"),
            QStringLiteral("suffer it"), QStringLiteral("Force release") }));
        model.search(QStringLiteral("fr"));
        QCOMPARE(shown(model).front(), QStringLiteral("Force release"));
        QCOMPARE(model.found(), 3);
        QVERIFY(!shown(model).contains(QStringLiteral("nothing")));
        model.search({});
        QCOMPARE(shown(model).front(), QStringLiteral("afraid of it")); // as they were given
        QCOMPARE(model.rowCount(), 4);
    }

    void whatWasUsedLastComesFirst()
    {
        const QStringList texts{ QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three") };
        PaletteModel model;
        model.setSources(listOf(texts));
        model.search({});
        model.remember(model.rowAt(1).entry);
        model.remember(model.rowAt(2).entry);
        model.setSources(listOf(texts));
        model.search({});
        QCOMPARE(shown(model), (QStringList{ texts[2], texts[1], texts[0] }));
        model.search(QStringLiteral("t"));
        QCOMPARE(shown(model), (QStringList{ texts[2], texts[1] }));
    }

    void aKeyPressLooksAtAFewOnly()
    {
        constexpr std::size_t All = 100'000;
        std::size_t looked = 0;
        PaletteModel model;
        QSignalSpy searched(&model, &PaletteModel::searched);
        model.setSources(orders(All, looked));
        model.search(QStringLiteral("99999"));
        QVERIFY(looked > 0);
        QVERIFY(looked <= PaletteModel::MostAtOnce);
        QVERIFY(model.isSearching());
        looked = 0;
        model.search(QStringLiteral("o99999")); // the next letter: what was not looked at for the last one is left out
        QVERIFY(looked <= PaletteModel::MostAtOnce);
        looked = 0;
        QCoreApplication::processEvents();
        QVERIFY(looked <= PaletteModel::MostAtOnce);
        QTRY_COMPARE(searched.size(), 1);
        QVERIFY(looked <= All);
        QCOMPARE(model.found(), 1);
        QCOMPARE(shown(model), QStringList{ QStringLiteral("order:99999") });
    }

    void keepsTheBestOfVeryMany()
    {
        std::size_t looked = 0;
        PaletteModel model;
        QSignalSpy searched(&model, &PaletteModel::searched);
        model.setSources(orders(20'000, looked));
        model.search(QStringLiteral("19"));
        QVERIFY(model.rowCount() > 0); // what was found at once
        QTRY_COMPARE(searched.size(), 1);
        QCOMPARE(looked, std::size_t(20'000));
        QCOMPARE(std::size_t(model.rowCount()), PaletteModel::MostShown);
        QVERIFY(model.found() > model.rowCount());
        QCOMPARE(shown(model).front(), QStringLiteral("order:19"));
    }

    void lettersOfHostileNamesAreThoseThatAreShown()
    {
        auto lock = std::make_shared<lockcore::monitor::LockState>();
        lock->name = "a\x1b[31m\xe2\x80\xae<b>";
        lockcore::LockName chosen;
        PaletteSources sources;
        sources.push_back(std::make_unique<LockSource>(
            lockcore::monitor::LockList{ lock }, [&chosen](const lockcore::LockName &name) { chosen = name; }));
        PaletteModel model;
        model.setSources(std::move(sources));
        model.search(QStringLiteral("x1b"));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(shown(model).front(), QStringLiteral("a\\x1b[31m\\u{202e}<b>"));
        QCOMPARE(model.rowAt(0).places, (std::vector<int>{ 2, 3, 4 }));
        QVERIFY(!model.index(0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("<b>")));
        model.rowAt(0).entry.run();
        QCOMPARE(chosen, lock->name);
    }
};

QTEST_GUILESS_MAIN(PaletteSearchTest)
#include "tst_palette_search.moc"
