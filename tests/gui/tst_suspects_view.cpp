// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "ui/dialogs/who_is_that_dialog.h"
#include "ui/models/attention.h"
#include "ui/models/holder_model.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/suspect_text.h"
#include "ui/views/banners.h"
#include "ui/views/suspects_view.h"

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::transport;
using namespace lockui::test;

namespace {

const Now Start{ MonoTime(std::chrono::hours(100)), WallTime(std::chrono::hours(490'000)) };
const OwnerId A{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId B{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };

MonoTime fixedNow() { return Start.mono; }

QString allText(const QWidget &widget)
{
    QStringList texts;
    for (const QLabel *label : widget.findChildren<QLabel *>())
        if (!label->isHidden())
            texts << label->text();
    return texts.join(QLatin1Char('\n'));
}

Analysis analysisOf(std::vector<Suspect> suspects)
{
    Analysis analysis;
    analysis.suspects = std::move(suspects);
    analysis.graph = std::make_shared<const WaitGraph>();
    analysis.statistics = std::make_shared<const StatisticsList>();
    return analysis;
}

Suspect suspectOf(const LockName &lock, const std::string &subject, const std::string &evidence)
{
    return { SuspectKind::DeadWaiter, lock, "n1", subject, { .recorded = evidence }, Certainty::Inferred, Start.mono };
}

} // namespace

class SuspectsViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_settings = std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    }

    void keepsNamesOfClients()
    {
        const std::string port("port\xff/of = Redisson", 20);
        {
            ClientNames names(*m_settings);
            const QSignalSpy changes(&names, &ClientNames::changed);
            names.setName(A.client, QStringLiteral("  billing "));
            names.setName(port, QStringLiteral("old"));
            names.setName(B.client, QStringLiteral("shop"));
            names.setName(B.client, {});
            names.setName(B.client, QStringLiteral("  "));
            QCOMPARE(changes.count(), 4);
        }
        m_settings->sync();
        const ClientNames names(*m_settings);
        QCOMPARE(names.nameOf(A.client), QStringLiteral("billing"));
        QCOMPARE(names.nameOf(port), QStringLiteral("old"));
        QVERIFY(names.nameOf(B.client).isEmpty());
        QCOMPARE(namedOwner(A, &names), QStringLiteral("7f21aa09…:7 (billing)"));
        QCOMPARE(namedOwner(B, &names), QStringLiteral("5d0e77c1…:112"));
    }

    void showsNamesBesideIdsInTables()
    {
        ViewClock clock(fixedNow);
        ClientNames names(*m_settings);
        LockTableModel model(clock);
        HolderModel holders(clock);
        model.setClientNames(&names);
        holders.setClientNames(&names);
        const auto lock = makeLock("order", Start.mono);
        model.setLocks({ lock });
        holders.setLock(lock);
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        names.setName(lock->holders.at(0).owner.client, QStringLiteral("bil\u202eling"));
        QCOMPARE(changes.count(), 1);
        const QString shown = model.index(0, LockTableModel::HolderColumn).data().toString();
        QVERIFY2(shown.contains(QStringLiteral("(bil")) && !shown.contains(QChar(0x202e)), qPrintable(shown));
        QVERIFY(holders.index(0, HolderModel::Owner).data().toString().startsWith(QStringLiteral("bil")));
    }

    void marksSuspectLocksAndUnmarksThem()
    {
        ViewClock clock(fixedNow);
        LockTableModel model(clock);
        model.setLocks({ makeLock("a", Start.mono), makeLock("b", Start.mono) });
        const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        model.setSuspects({ { "b", QStringLiteral("Never ends") }, { "gone", QStringLiteral("Dead waiter") } });
        QVERIFY(!model.index(0, 0).data(SuspectRole).isValid());
        QCOMPARE(model.index(1, 0).data(SuspectRole).toString(), QStringLiteral("Never ends"));
        QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Never ends")));
        QVERIFY(!model.index(1, 1).data(SuspectRole).isValid());
        model.setSuspects({ { "b", QStringLiteral("Never ends") } });
        QCOMPARE(changes.count(), 1);
        model.setSuspects({});
        QCOMPARE(changes.count(), 2);
        QVERIFY(!model.index(1, 0).data(SuspectRole).isValid());
    }

    void showsWhatSpeaksForASuspect()
    {
        ClientNames names(*m_settings);
        names.setName(B.client, QStringLiteral("shop"));
        SuspectsView view;
        view.setClientNames(&names);
        auto analysis = analysisOf({ suspectOf("order", toString(B), "<b>Nobody</b> listens."),
            suspectOf("other", toString(A), "Not of this lock.") });
        auto numbers = std::make_shared<LockStatistics>();
        numbers->lock = "order";
        numbers->acquires = 3;
        numbers->holds = 2;
        numbers->heldTotal = Millis(8'000);
        numbers->heldLongest = Millis(6'000);
        analysis.statistics = std::make_shared<const StatisticsList>(StatisticsList{ numbers });
        view.show(&analysis, "order");
        const QString text = allText(view);
        QVERIFY2(text.contains(QStringLiteral("Dead waiter")) && text.contains(QStringLiteral("5d0e77c1…:112 (shop)"))
                && text.contains(QStringLiteral("<b>Nobody</b> listens. (inferred)"))
                && !text.contains(QStringLiteral("Not of")),
            qPrintable(text));
        for (const QLabel *label : view.findChildren<QLabel *>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
        numbers->waits = 3;
        numbers->waitedLongest = Millis(90);
        const QString figures = statisticsText(*numbers);
        QVERIFY2(figures.contains(QStringLiteral("2 holds measured: 4.0 s on average, 6.0 s at most"))
                && figures.contains(QStringLiteral("3 whole waits: less than 1 ms on average, 90 ms at most")),
            qPrintable(figures));
        // A figure that is cut would be another one.
        view.show(&analysis, "order");
        auto &line = *view.findChild<ElidedLabel *>();
        for (int width = line.fontMetrics().horizontalAdvance(line.text()) + 4; width > 200; width -= 7) {
            line.resize(width, 20);
            QVERIFY2(figures.startsWith(line.shownText()), qPrintable(line.shownText()));
        }
        view.show(&analysis, "healthy");
        QVERIFY(view.isHidden());
        view.show(nullptr, "order");
        QVERIFY(view.isHidden());
    }

    void namesFirstWhoStandsInTheWay()
    {
        SuspectsView view;
        std::vector<Suspect> suspects;
        LockState lock;
        lock.name = "order";
        std::vector<Waiter> waiters;
        for (int i = 0; i < 6; ++i) {
            Waiter waiter;
            waiter.owner = { A.client, std::to_string(100 + i) };
            waiters.push_back(waiter);
            suspects.insert(suspects.begin(), suspectOf("order", toString(waiter.owner), "Nobody listens."));
        }
        lock.waiters = waiters;
        suspects.push_back(suspectOf("order", {}, "Two of them."));
        suspects.back().kind = SuspectKind::TwoHolders;
        const auto analysis = analysisOf(suspects);
        view.resize(900, 1'000);
        view.show(&analysis, "order", { &lock, {}, true });
        QStringList lines = allText(view).split(QLatin1Char('\n'));
        lines.removeAll(QStringLiteral("⚠"));
        QVERIFY2(lines[0].contains(QStringLiteral("Two holders")) && lines[1].contains(QStringLiteral(":100"))
                && lines[2].contains(QStringLiteral(":101")),
            qPrintable(lines.join(QLatin1Char('\n'))));
        QVERIFY(allText(view).contains(QStringLiteral("and 4 more")));
    }

    void leavesRoomForTheQueueInALowWindow()
    {
        SuspectsView view;
        const auto analysis = analysisOf({ suspectOf("order", toString(A), "First."),
            suspectOf("order", toString(B), "Second."), suspectOf("order", {}, "Third.") });
        view.resize(900, 768);
        view.show(&analysis, "order");
        const QString text = allText(view);
        QVERIFY2(
            text.contains(QStringLiteral("First.")) && text.contains(QStringLiteral("and 2 more")), qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("Second.")));
    }

    /// As many as have the sign of warning in the table.
    void countsAllLocksOfADeadlock()
    {
        auto graph = std::make_shared<WaitGraph>();
        graph->cycles = { { { A, "order", B }, { B, "stock", A } } };
        auto analysis = std::make_shared<Analysis>(
            analysisOf({ suspectOf("stock", {}, "Also."), suspectOf("other", {}, "Another.") }));
        analysis->graph = graph;
        Attention attention;
        attention.setAnalysis(analysis);
        QCOMPARE(attention.count(), 3);
    }

    void namesADeadlockAndWhereItIs()
    {
        ClientNames names(*m_settings);
        Theme theme(*qApp);
        QWidget window;
        DeadlockBanner banner(theme, names, &window);
        QSignalSpy chosen(&banner, &DeadlockBanner::lockChosen);
        auto graph = std::make_shared<WaitGraph>();
        graph->cycles = { { { A, "order", B }, { B, "stock", A } } };
        Snapshot snapshot;
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = graph;
        snapshot.analysis = analysis;
        banner.setSnapshot(snapshot);
        QVERIFY(!banner.isHidden());
        QVERIFY(allText(banner).contains(
            QStringLiteral("7f21aa09…:7 waits for order, which 5d0e77c1…:112 holds; 5d0e77c1…:112 waits for stock")));
        banner.findChild<QPushButton *>()->click();
        QCOMPARE(chosen.at(0).at(0).value<LockName>(), LockName("order"));
        QVERIFY(!allText(banner).contains(QStringLiteral("last seen")));
        auto order = std::make_shared<LockState>();
        order->name = "order";
        snapshot.locks = { order };
        snapshot.status.staleSince = MonoTime();
        snapshot.status.phase = SourcePhase::Stale;
        banner.setSnapshot(snapshot);
        QVERIFY(allText(banner).contains(QStringLiteral("as it was last seen")));
        auto none = std::make_shared<Analysis>();
        none->graph = std::make_shared<const WaitGraph>();
        snapshot.analysis = none;
        banner.setSnapshot(snapshot);
        QVERIFY(banner.isHidden());
    }

    void saysWhatALookCostsAndDoesNotStartByItself()
    {
        ClientNames names(*m_settings);
        Endpoint nowhere;
        nowhere.socketPath = m_folder->filePath(QStringLiteral("none.sock")).toStdString();
        WhoIsThatDialog dialog(nowhere, A.client, names);
        dialog.show();
        QVERIFY(allText(dialog).contains(QStringLiteral("MONITOR can halve the throughput")));
        QVERIFY(!dialog.findChild<QTableWidget *>()->isVisible());
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *seconds = dialog.findChild<QSpinBox *>();
        seconds->setFocus();
        QTest::keyClick(seconds, Qt::Key_Return);
        QVERIFY(seconds->isEnabled()); // it does not listen
        QVERIFY(allText(dialog).contains(QStringLiteral("Enter does nothing in this field")));
        button(dialog, QStringLiteral("Listen now"))->click();
        QTRY_VERIFY(allText(dialog).contains(QStringLiteral("none.sock: "))
            || allText(dialog).contains(QStringLiteral("No such file")));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QSettings> m_settings;
};

QTEST_MAIN(SuspectsViewTest)
#include "tst_suspects_view.moc"
