// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "lockcore/transport/clock.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/charts/count_chart.h"
#include "ui/charts/histogram_chart.h"
#include "ui/charts/ttl_chart.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/return_permit_dialog.h"
#include "ui/models/event_model.h"
#include "ui/models/holder_model.h"
#include "ui/models/permit_model.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/detail_events.h"
#include "ui/views/detail_panel.h"
#include "ui/views/durations_view.h"
#include "ui/views/event_table.h"
#include "ui/views/scrub_bar.h"

#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

using namespace lockui;
using namespace lockcore;
using namespace Qt::StringLiterals;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;
const QString First = QStringLiteral("00112233445566778899aabbccddeeff");
const QString Second = QStringLiteral("8899aabbccddeeff0011223344556677");
const QString Third = QStringLiteral("ffeeddccbbaa99887766554433221100");
const QString Deadlines = QStringLiteral("{pool}:timeout");
const QString NoLease = QStringLiteral("922337203685477");

QString in(Millis time)
{
    return QString::number((std::chrono::system_clock::now() + time).time_since_epoch() / std::chrono::milliseconds(1));
}

double secondsIn(const QString &text) // `≥ 3.2 s`; below zero: there are none
{
    const auto match = QRegularExpression(u"([0-9.]+) s$"_s).match(text);
    return match.hasMatch() ? match.captured(1).toDouble() : -1;
}

struct Fixture : test::TestWindow {
    explicit Fixture(const RedisServer &server)
    {
        window.resize(1440, 900);
        ConnectionProfile profile;
        profile.environment = QStringLiteral("TEST");
        profile.tokenNames = { "mutex:*" };
        connectTo(server.endpoint(), profile);
        window.show();
    }

    DetailPanel &detail() { return *window.findChild<DetailPanel *>(); }
    /// As soon as it is seen.
    bool shows(const LockName &lock)
    {
        window.selectLock(lock);
        return QTest::qWaitFor([&] { return detail().lock() && detail().lock()->name == lock; }, Limit);
    }
    DataTable &permits() { return *test::named<DataTable>(detail(), QStringLiteral("Permits")); }
    /// Each of its three permits is there, and the one in the middle can be returned.
    bool offersReturns()
    {
        const QAbstractItemModel &model = *permits().model();
        return QTest::qWaitFor(
            [&] { return model.rowCount() == 3 && model.index(1, PermitModel::Return).data(BadgeToneRole).isValid(); },
            Limit);
    }
    QString permit(int row, int column) { return permits().model()->index(row, column).data().toString(); }
    void clickPermit(int row, int column)
    {
        QCoreApplication::sendPostedEvents(); // what is to be laid out anew is
        test::click(test::cellOf(permits(), row, column));
    }
    bool says(const QString &text)
    {
        const auto isIn = [&](const auto *label) { return label->text().contains(text); };
        return std::ranges::any_of(detail().findChildren<QLabel *>(), isIn)
            || std::ranges::any_of(detail().findChildren<ElidedLabel *>(), isIn);
    }
    QAbstractButton &button(const QString &text) { return *test::button(detail(), text); }
    ReturnPermitDialog *dialog() { return window.findChild<ReturnPermitDialog *>(); }
    /// The reason, typed; and whether the button that does it can be pressed then.
    bool giveReason()
    {
        if (!QTest::qWaitForWindowActive(dialog()))
            return false;
        test::type(*dialog(), "its client is gone");
        return QTest::qWaitFor([&] { return confirm().isEnabled(); }, Limit);
    }
    QAbstractButton &confirm() { return *test::button(*dialog(), QStringLiteral("Return the permit")); }
};

} // namespace

/// The detail of each kind of lock, on a real server.
class LockDetailTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Of an event the sign before the word takes room from it.
    void tellsInATipWhatIsCutOff()
    {
        EventStore store;
        ViewClock clock;
        EventModel model(store, clock);
        monitor::Event swapped;
        swapped.kind = monitor::EventKind::DatabasesSwapped;
        store.add({ swapped });
        model.advance();
        Theme theme(*qApp);
        const RowStyle style{ theme, 24, 8, true };
        EventTable table(style, clock, model);
        table.resize(600, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QStyleOptionViewItem option;
        option.initFrom(&table);
        const QModelIndex cell = model.index(0, EventModel::What);
        const int needed = table.itemDelegate()->sizeHint(option, cell).width();
        table.setColumnWidth(EventModel::What, needed - 2 * style.padding); // the word alone would fit
        const QPoint place = table.visualRect(cell).center();
        QHelpEvent help(QEvent::ToolTip, place, table.viewport()->mapToGlobal(place));
        QCoreApplication::sendEvent(table.viewport(), &help);
        QTRY_VERIFY(QToolTip::text().contains(u"databases swapped"_s));
        QToolTip::hideText();
        const QFontMetrics metrics(table.font());
        QVERIFY(needed >= metrics.horizontalAdvance(u"databases swapped"_s) + 16 + 2 * style.padding);
    }

    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { cli({ u"FLUSHALL"_s }); }

    void listsPermitsAndWhenTheyEnd()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit);
        QCOMPARE(f.permit(0, PermitModel::Id), Second); // ran out, and nobody has taken it back
        QVERIFY(f.permit(0, PermitModel::EndsIn).startsWith(QStringLiteral("overdue ")));
        QCOMPARE(f.permit(1, PermitModel::Id), First);
        const QString then = f.permit(1, PermitModel::EndsIn);
        QTRY_VERIFY_WITH_TIMEOUT(f.permit(1, PermitModel::EndsIn) != then, Limit); // it counts down
        QCOMPARE(f.permit(2, PermitModel::EndsIn), QStringLiteral("never"));
        QVERIFY(test::saying<QLabel>(f.detail(), QStringLiteral("Redis does not store which client has a permit")));
        QVERIFY(!f.button(QStringLiteral("Force release…")).isVisible()); // nobody holds a semaphore
    }

    void nothingIsReturnedWhileReadOnly()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit);
        f.clickPermit(1, PermitModel::Return);
        QVERIFY(!f.dialog());
        const auto &button = f.button(QStringLiteral("Return a permit…"));
        QVERIFY(button.isVisible() && !button.isEnabled());
        QVERIFY2(button.toolTip().contains(QStringLiteral("read-only")), qPrintable(button.toolTip()));
        test::press(f.window, Qt::Key_Return);
        QVERIFY(!f.dialog());
    }

    void returnsExactlyThatPermit()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        f.makeWritable();
        QVERIFY(f.offersReturns());
        f.clickPermit(1, PermitModel::Return);
        QVERIFY(f.dialog());
        QVERIFY(test::saying<QLabel>(*f.dialog(), First));
        QVERIFY(!f.confirm().isEnabled()); // no reason yet
        QVERIFY(f.giveReason());
        test::click(test::middleOf(f.confirm()));
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(*f.dialog(), QStringLiteral("Returned.")), Limit);
        QVERIFY(test::saying<QLabel>(*f.dialog(), QStringLiteral("its lease ended with that")));
        QVERIFY(test::saying<QLabel>(*f.dialog(), u"when you looked: "_s)); // it is another number by now
        QVERIFY(test::saying<QLabel>(*f.dialog(), u"The message for those who wait was sent."_s));
        QVERIFY(!test::saying<QLabel>(*f.dialog(), u"Those who wait were told"_s)); // nobody is seen to wait
        const auto *events = test::named<EventTable>(f.detail(), QStringLiteral("Events of the lock"));
        const auto told = [&] { return events->model()->index(0, EventModel::Meaning).data().toString(); };
        QTRY_VERIFY2_WITH_TIMEOUT(
            told().contains(u"a permit was returned from this window"_s), qPrintable(told()), Limit);
        QCOMPARE(cli({ u"ZCARD"_s, Deadlines }), QByteArray("2"));
        QCOMPARE(cli({ u"ZSCORE"_s, Deadlines, First }), QByteArray());
        QCOMPARE(cli({ u"GET"_s, u"pool"_s }), QByteArray("3"));
        QFile audit(f.audit);
        QVERIFY(audit.open(QIODevice::ReadOnly));
        const QByteArray written = audit.readAll();
        QVERIFY(
            written.contains(First.toUtf8()) && written.contains("its client is gone") && written.contains("\"done\""));
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 2, Limit);
    }

    /// One without a lease had none that could end.
    void saysOfAPermitWithoutALeaseThatItHadNone()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        f.makeWritable();
        QVERIFY(f.offersReturns());
        f.clickPermit(2, PermitModel::Return);
        QVERIFY(f.dialog() && test::saying<QLabel>(*f.dialog(), Third));
        QVERIFY(f.giveReason());
        test::click(test::middleOf(f.confirm()));
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(*f.dialog(), QStringLiteral("Returned.")), Limit);
        QVERIFY(test::saying<QLabel>(*f.dialog(), QStringLiteral("it had no lease")));
        QVERIFY(!test::saying<QLabel>(*f.dialog(), QStringLiteral("its lease ended")));
    }

    void returnsTheChosenPermitByKeys()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        f.makeWritable();
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        auto &button = f.button(QStringLiteral("Return a permit…"));
        QVERIFY(!button.isEnabled()); // none is chosen
        f.clickPermit(1, PermitModel::Id);
        QTRY_VERIFY_WITH_TIMEOUT(button.isEnabled(), Limit);
        test::press(f.window, Qt::Key_Down);
        test::press(f.window, Qt::Key_Return);
        QVERIFY(f.dialog());
        QVERIFY(test::saying<QLabel>(*f.dialog(), Third));
        test::press(*f.dialog(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!f.dialog(), Limit);
        cli({ u"ZREM"_s, Deadlines, Second }); // what is chosen stays chosen when others go
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 2, Limit);
        QVERIFY(button.isEnabled());
        test::click(test::middleOf(button));
        QVERIFY(f.dialog() && test::saying<QLabel>(*f.dialog(), Third));
    }

    /// A new lease moves a permit in the list, and one that is given back leaves it: nothing else is chosen by that.
    void choosesNoOtherPermitByItself()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        f.makeWritable();
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        auto &button = f.button(QStringLiteral("Return a permit…"));
        f.clickPermit(2, PermitModel::Id);
        QTRY_VERIFY_WITH_TIMEOUT(button.isEnabled(), Limit);
        cli({ u"ZADD"_s, Deadlines, in(Millis(5'000)), Third });
        QTRY_COMPARE_WITH_TIMEOUT(f.permit(1, PermitModel::Id), Third, Limit);
        test::click(test::middleOf(button));
        QVERIFY(f.dialog());
        QVERIFY(test::saying<QLabel>(*f.dialog(), Third));
        test::press(*f.dialog(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!f.dialog(), Limit);
        cli({ u"ZREM"_s, Deadlines, Third });
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 2, Limit);
        QVERIFY(!button.isEnabled());
    }

    /// What changes between look and act disarms the dialog, or is refused by the server: nothing is done then.
    void doesNothingWhenThePermitIsAnother_data()
    {
        QTest::addColumn<QStringList>("change");
        QTest::addColumn<QString>("said");
        QTest::newRow("given back") << QStringList{ u"ZREM"_s, Deadlines, First }
                                    << QStringLiteral("Nobody holds this permit any more");
        QTest::newRow("lease set anew") << QStringList{ u"ZADD"_s, Deadlines, in(Millis(300'000)), First }
                                        << QStringLiteral("Its lease was set anew");
        QTest::newRow("semaphore deleted")
            << QStringList{ u"DEL"_s, u"pool"_s, Deadlines } << QStringLiteral("no longer in Redis");
    }

    void doesNothingWhenThePermitIsAnother()
    {
        QFETCH(const QStringList, change);
        QFETCH(const QString, said);
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        f.makeWritable();
        QVERIFY(f.offersReturns());
        f.clickPermit(1, PermitModel::Return);
        QVERIFY(f.giveReason());
        cli(change);
        QTRY_VERIFY_WITH_TIMEOUT(!f.confirm().isEnabled(), Limit);
        QVERIFY(test::saying<QLabel>(*f.dialog(), said));
        const QByteArray left = cli({ u"ZCARD"_s, Deadlines });
        test::click(test::middleOf(f.confirm()));
        QCOMPARE(cli({ u"ZCARD"_s, Deadlines }), left);
        QVERIFY(!QFile::exists(f.audit));
    }

    /// The window has not heard of the change when the button is pressed.
    void theServerRefusesWhatTheWindowHasNotSeenYet()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        f.makeWritable();
        QVERIFY(f.offersReturns());
        f.clickPermit(1, PermitModel::Return);
        QVERIFY(f.giveReason());
        const QByteArray deadline = in(Millis(300'000)).toUtf8();
        cli({ u"ZADD"_s, Deadlines, QString::fromUtf8(deadline), First });
        test::click(test::middleOf(f.confirm())); // no event was handled in between
        // Where it hears of that first all the same, it does not ask the server any more.
        const auto isSaid
            = [&](const char *what) { return test::saying<QLabel>(*f.dialog(), QString::fromLatin1(what)); };
        QTRY_VERIFY_WITH_TIMEOUT(
            isSaid("Refused, and nothing was changed.") || isSaid("Its lease was set anew"), Limit);
        QCOMPARE(cli({ u"ZSCORE"_s, Deadlines, First }), deadline);
        QCOMPARE(cli({ u"GET"_s, u"pool"_s }), QByteArray("2"));
    }

    void copiesTheFencingToken()
    {
        take(m_server, QStringLiteral("ledger"), OwnerA, 60'000);
        cli({ u"SET"_s, u"redisson_lock_token:{ledger}"_s, u"4118"_s });
        Fixture f(m_server);
        QVERIFY(f.shows("ledger"));
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<ElidedLabel>(f.detail(), QStringLiteral("4,118")), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(copiedToken(f), QStringLiteral("4118"), Limit);
    }

    void copiesTheTokenOfAnotherLibrary()
    {
        cli({ u"SET"_s, u"mutex:sitemap"_s, u"an-arbitrary-token-of-64-bytes"_s, u"PX"_s, u"60000"_s });
        Fixture f(m_server);
        QVERIFY(f.shows("mutex:sitemap"));
        QTRY_COMPARE_WITH_TIMEOUT(copiedToken(f), QStringLiteral("an-arbitrary-token-of-64-bytes"), Limit);
    }

    void tellsHowLongHoldsTook()
    {
        take(m_server, QStringLiteral("stock"), OwnerA, 60'000);
        Fixture f(m_server);
        QVERIFY(f.shows("stock"));
        auto &holds = *test::named<DurationsView>(f.detail(), QStringLiteral("Hold times"));
        QVERIFY(test::saying<ElidedLabel>(holds, QStringLiteral("none was seen to end")));
        testsupport::release(m_server, QStringLiteral("stock")); // its beginning was not seen
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(holds, QStringLiteral("1 in part")), Limit);
        QVERIFY(test::saying<ElidedLabel>(holds, QStringLiteral("≥ ")));
        QVERIFY(test::saying<QLabel>(f.detail(), QStringLiteral("of those that ended since")));
        for (int i = 1; i <= 6; ++i) {
            take(m_server, QStringLiteral("stock"), OwnerB, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(f.page().locks().rowOf("stock") >= 0, Limit);
            testsupport::release(m_server, QStringLiteral("stock"));
            QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(holds, QStringLiteral("%1 seen whole").arg(i)), Limit);
        }
        const auto &chart = *holds.findChild<HistogramChart *>();
        QVERIFY(chart.isVisible());
        QCOMPARE(chart.histogram().total(), std::int64_t(6));
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("half took up to")));
        QVERIFY(!test::named<DurationsView>(f.detail(), QStringLiteral("Waits in the queue"))->isVisible());
    }

    void drawsFreePermitsAsSteps()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        const auto &chart = *f.detail().findChild<CountChart *>();
        QTRY_VERIFY_WITH_TIMEOUT(chart.isVisible() && !chart.picture().curve.steps.empty(), Limit);
        QVERIFY(!f.detail().findChild<TtlChart *>()->isVisible());
        QCOMPARE(chart.picture().all, std::optional<std::int64_t>(5)); // two and the overdue one free, two leased
        QVERIFY(chart.labels().size() == 1 && chart.labels().front().text == QStringLiteral("not watched yet"));
        for (const char *free : { "1", "0", "2" }) {
            const auto before = chart.picture().curve.steps.size();
            cli({ u"SET"_s, u"pool"_s, QString::fromLatin1(free) });
            QTRY_VERIFY_WITH_TIMEOUT(chart.picture().curve.steps.size() > before, Limit);
        }
        QCOMPARE(chart.picture().curve.steps.back().value, std::optional<std::int64_t>(3));
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("now: 3 free")));
        const auto *events = test::named<EventTable>(f.detail(), QStringLiteral("Events of the lock"));
        QTRY_VERIFY_WITH_TIMEOUT(events->isVisible() && events->model()->rowCount() >= 4, Limit);
    }

    void aLatchCountsDown()
    {
        cli({ u"SET"_s, u"{a}:0123456789abcdefABCDEF:countdownlatch"_s, u"3"_s }); // a name that tells the kind
        Fixture f(m_server);
        QVERIFY(f.shows("{a}:0123456789abcdefABCDEF:countdownlatch"));
        const auto &chart = *f.detail().findChild<CountChart *>();
        QTRY_VERIFY_WITH_TIMEOUT(chart.isVisible() && chart.picture().isLatch, Limit);
        cli({ u"DECR"_s, u"{a}:0123456789abcdefABCDEF:countdownlatch"_s });
        QTRY_COMPARE_WITH_TIMEOUT(chart.picture().curve.steps.size(), std::size_t(2), Limit);
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("now: 2 to go")));
        QVERIFY(test::saying<QLabel>(f.detail(), QStringLiteral("has counted down")));
    }

    /// What was not seen is hatched, and no line leads through it.
    void leavesOutOfTheStepsWhatWasNotSeen()
    {
        RedisServer server;
        QVERIFY(server.start());
        fillPool(server);
        Fixture f(server);
        QVERIFY(f.shows("pool"));
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.detail().findChild<CountChart *>()->picture().isGrey, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!f.detail().findChild<CountChart *>()->picture().end.isEmpty(), Limit);
        QVERIFY(!f.says(u", last "_s)); // it is not of now
        QVERIFY(f.says(u"Free permits, 90 s until "_s));
        QVERIFY(f.detail().findChild<CountChart *>()->accessibleDescription().contains(u"last: 3 free"_s));
        QVERIFY(server.restart());
        fillPool(server);
        const auto &chart = *f.detail().findChild<CountChart *>();
        QTRY_VERIFY_WITH_TIMEOUT(!chart.picture().curve.unseen.empty(), Limit);
        QVERIFY(chart.accessibleDescription().contains(QStringLiteral("not seen for")));
    }

    void tellsOfALockThatWentWithItsServer()
    {
        RedisServer server;
        QVERIFY(server.start());
        take(server, u"it"_s, OwnerA, 60'000);
        Fixture f(server);
        QVERIFY(f.shows("it"));
        QVERIFY(f.says(u"Keys in Redis"_s));
        const auto *holders = test::named<DataTable>(f.detail(), QStringLiteral("Holders"));
        const auto heldFor
            = [&] { return secondsIn(holders->model()->index(0, HolderModel::HeldFor).data().toString()); };
        QTRY_VERIFY_WITH_TIMEOUT(heldFor() > 1, Limit);
        server.kill();
        const double seen = heldFor();
        const auto isLostFor = [&](Millis time) {
            const auto since = f.monitor.latest()->status.staleSince;
            return since && transport::monoNow() - *since > time;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isLostFor(Millis(4'000)), Limit);
        QVERIFY(server.restart());
        QTRY_VERIFY_WITH_TIMEOUT(f.says(u"right after: server restarted"_s), Limit);
        const auto &times = *test::named<DurationsView>(f.detail(), QStringLiteral("Hold times"));
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<ElidedLabel>(times, u"≥ "_s), Limit);
        QVERIFY2(heldFor() < seen + 1, qPrintable(QString::number(heldFor())));
        const double told = secondsIn(test::saying<ElidedLabel>(times, u"≥ "_s)->text());
        QVERIFY2(std::abs(told - heldFor()) < 0.15, qPrintable(QString::number(told)));
        QVERIFY(f.says(u"Keys it had in Redis"_s));
        auto *events = test::named<EventTable>(f.detail(), QStringLiteral("Events of the lock"));
        const auto kinds = [&] {
            QStringList all;
            for (int row = 0; row < events->model()->rowCount(); ++row)
                all << events->model()->index(row, EventModel::What).data().toString();
            return all;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(kinds().contains(u"server restarted"_s), qPrintable(kinds().join(u',')), Limit);
    }

    /// While another page is shown nobody looks at the lock that is chosen: what was seen of it then is of another
    /// hold.
    void tellsNothingOfAnEarlierHoldAsOfTheLast()
    {
        take(m_server, u"job"_s, OwnerA, 60'000);
        Fixture f(m_server);
        QVERIFY(f.shows("job"));
        auto *holders = test::named<DataTable>(f.detail(), QStringLiteral("Holders"));
        QTRY_COMPARE_WITH_TIMEOUT(holders->model()->rowCount(), 1, Limit);
        f.window.showPage(QStringLiteral("timeline"));
        cli({ u"DEL"_s, u"job"_s });
        const auto isShown
            = [&](const QString &locks) { return test::saying<ElidedLabel>(f.window, locks) != nullptr; };
        QTRY_VERIFY_WITH_TIMEOUT(isShown(u"0 locks · "_s), Limit);
        take(m_server, u"job"_s, OwnerB, 700);
        QTRY_VERIFY_WITH_TIMEOUT(isShown(u"1 lock"_s), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(isShown(u"0 locks · "_s), Limit);
        f.window.showPage(QStringLiteral("locks"));
        QTRY_VERIFY_WITH_TIMEOUT(f.says(u"5d0e77c1…:112 held it"_s), Limit);
        QVERIFY(f.says(u"It changed after it was looked at last"_s));
        QVERIFY(!f.says(u"seen so since"_s));
        QCOMPARE(holders->model()->rowCount(), 0);
        const auto &chart = *f.detail().findChild<TtlChart *>();
        QVERIFY2(chart.accessibleDescription().contains(u"passed over"_s), qPrintable(chart.accessibleDescription()));
        QVERIFY(!chart.accessibleDescription().contains(u"not seen"_s)); // its server was watched all the time
        take(m_server, u"job"_s, OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(holders->model()->rowCount(), 1, Limit);
        QVERIFY(!f.says(u"It changed after it was looked at last"_s));
        cli({ u"DEL"_s, u"job"_s });
        QTRY_VERIFY_WITH_TIMEOUT(f.says(u"Who held it at last, seen so since "_s), Limit);
        QCOMPARE(holders->model()->rowCount(), 1);
    }

    /// As of a lock that nobody reads any more: what is no longer there is not told as of now.
    void tellsInThePastOfASemaphoreThatIsGone()
    {
        fillPool();
        Fixture f(m_server);
        QVERIFY(f.shows("pool"));
        const auto &chart = *f.detail().findChild<CountChart *>();
        QTRY_VERIFY_WITH_TIMEOUT(chart.isVisible() && !chart.picture().curve.steps.empty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.says(u"No client instance is subscribed"_s), Limit);
        const auto isTold = [&](const QString &text) {
            return f.says(text) || chart.accessibleDescription().contains(text)
                || chart.accessibleName().contains(text);
        };
        for (const QString &ofNow : { u"No client instance is"_s, u"in all now"_s, u"now: 3 free"_s, u", last "_s })
            QVERIFY2(isTold(ofNow), qPrintable(ofNow));
        QVERIFY(chart.picture().end.isEmpty());

        cli({ u"DEL"_s, u"pool"_s, Deadlines });
        QTRY_VERIFY_WITH_TIMEOUT(f.says(u"At last, seen so since "_s), Limit);
        QVERIFY(f.says(u": 3 free · 2 leased"_s));
        for (const QString &ofNow : { u"No client instance is"_s, u"in all now"_s, u"now: "_s, u", last "_s })
            QVERIFY2(!isTold(ofNow), qPrintable(ofNow));
        QVERIFY(f.says(u"No client instance was subscribed"_s));
        QVERIFY(f.says(u"Free permits, its last 90 s"_s));
        QVERIFY(!chart.picture().end.isEmpty());
        QVERIFY2(chart.accessibleDescription().contains(u"last: 3 free"_s), qPrintable(chart.accessibleDescription()));
        QVERIFY(chart.accessibleDescription().contains(u"5 in all at last"_s));
    }

    /// That nothing was heard of it is no word about the time in which nothing could be heard.
    void namesTheGapOfALockOfWhichNothingWasHeard()
    {
        const Theme theme(*qApp);
        const ViewClock clock;
        EventStore store;
        store.heardFrom(clock.wallAt(clock.now()) - std::chrono::seconds(90));
        monitor::Event gap;
        gap.at = clock.wallAt(clock.now()) - std::chrono::seconds(20);
        gap.kind = monitor::EventKind::Gap;
        gap.ttl = Millis(10'000);
        gap.node = "one";
        store.add({ gap });
        DetailEvents events(theme, clock, store);
        events.setLock("quiet", "one");
        QVERIFY(test::saying<QLabel>(events, QStringLiteral("none heard since")));
        QCOMPARE(events.model().rowCount(), 1);
        QVERIFY(events.table().isVisibleTo(&events));
        events.setLock("quiet", "another");
        QCOMPARE(events.model().rowCount(), 0);
    }

    /// The chart tells them of its time, and the line above of all time: one of them is enough.
    void tellsOnceHowOftenItIsRenewed()
    {
        const Theme theme(*qApp);
        ViewClock clock;
        EventStore store;
        DetailPanel panel(theme, clock, store);
        auto numbers = std::make_shared<monitor::LockStatistics>();
        numbers->lock = "it";
        numbers->acquires = 3;
        numbers->renewalGapMean = Millis(9'900);
        numbers->renewalGapLongest = Millis(10'300);
        auto analysis = std::make_shared<monitor::Analysis>();
        analysis->at = clock.now();
        analysis->graph = std::make_shared<const monitor::WaitGraph>();
        analysis->statistics = std::make_shared<const monitor::StatisticsList>(monitor::StatisticsList{ numbers });
        const auto says = [&panel](const char *text) {
            return test::saying<QLabel>(panel, QLatin1String(text))
                || test::saying<ElidedLabel>(panel, QLatin1String(text));
        };
        const auto lock = test::makeLock("it", clock.now());
        panel.resize(1'300, 500);
        panel.show();
        panel.setLock(lock);
        panel.setAnalysis(analysis);
        QTRY_VERIFY_WITH_TIMEOUT(says("median gap"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!says("renewed every"), Limit);
        QVERIFY(says("0 hand-overs"));
        auto readers = std::make_shared<monitor::LockState>(*lock); // who renew one time to live in turn
        readers->kind = synchronizers::Kind::ReadWrite;
        panel.setLock(readers);
        QTRY_VERIFY_WITH_TIMEOUT(says("renewed every 9.9 s, 10.3 s at most"), Limit);
        QVERIFY(!says("median gap"));
    }

    /// Redis stores of a plain lock only how many listen; who is led from here is known.
    void namesWhoIsLedByHand()
    {
        const Theme theme(*qApp);
        ViewClock clock;
        EventStore store;
        DetailPanel panel(theme, clock, store);
        auto lock = test::makeLock("it", clock.now());
        lock->subscribers = 1;
        panel.resize(1'300, 500);
        panel.show();
        panel.setLock(lock);
        const auto says = [&panel](const QString &text) { return test::saying<QLabel>(panel, text) != nullptr; };
        QVERIFY(says(u"1 client instance subscribed"_s) && !says(u"Led by hand"_s));
        panel.setKnownWaits({ { { "9d5838df", "2" }, "it", clock.now() }, { { "other", "1" }, "other", clock.now() } });
        QVERIFY(says(u"Led by hand, and waiting: 9d5838df"_s) && !says(u"other:1"_s));
        panel.setKnownWaits({});
        QVERIFY(!says(u"Led by hand"_s));
    }

    /// They came while a moment before them was held, and none came after it went on.
    void showsWhatCameWhileTheClockStood()
    {
        const Theme theme(*qApp);
        ViewClock clock;
        EventStore store;
        monitor::Event event;
        event.kind = monitor::EventKind::Acquired;
        event.lock = "it";
        event.at = clock.wallAt(clock.now()) - std::chrono::seconds(9);
        store.add({ event });
        DetailEvents events(theme, clock, store);
        events.setLock("it", {});
        clock.freezeAt(clock.now() - std::chrono::seconds(5));
        store.hold(true);
        event.kind = monitor::EventKind::Released;
        event.at += std::chrono::seconds(7);
        store.add({ event });
        events.refresh();
        QCOMPARE(events.model().rowCount(), 1);
        clock.freezeAt(std::nullopt);
        store.hold(false);
        events.refresh();
        QCOMPARE(events.model().rowCount(), 2);
    }

    /// Few events stand below their title, not at the end of the room that there is for many.
    void fewEventsStandBelowTheirTitle()
    {
        take(m_server, QStringLiteral("alone"), OwnerA, 60'000);
        Fixture f(m_server);
        QVERIFY(f.shows("alone"));
        auto *events = test::named<EventTable>(f.detail(), QStringLiteral("Events of the lock"));
        QTRY_VERIFY_WITH_TIMEOUT(events->isVisible() && events->model()->rowCount() > 0, Limit);
        QTRY_VERIFY2_WITH_TIMEOUT(events->y() < 40, qPrintable(QString::number(events->y())), Limit);
    }

    /// Where there is no room for all of them, and to the last one.
    void showsWholeRowsOfEvents()
    {
        take(m_server, u"it"_s, OwnerA, 60'000);
        Fixture f(m_server);
        QVERIFY(f.shows("it"));
        auto &events = *test::named<EventTable>(f.detail(), QStringLiteral("Events of the lock"));
        const auto &bar = *events.verticalScrollBar();
        for (int i = 1; i <= 12; ++i) {
            const int before = events.model()->rowCount();
            cli({ u"HINCRBY"_s, u"it"_s, OwnerA, i % 2 == 0 ? u"-1"_s : u"1"_s });
            QTRY_VERIFY_WITH_TIMEOUT(events.model()->rowCount() > before, Limit);
        }
        QTRY_VERIFY(bar.maximum() > 0);
        const int row = events.verticalHeader()->defaultSectionSize();
        for (const int height : { 900, 870, 861, 853 }) {
            f.window.resize(1440, height);
            QCoreApplication::sendPostedEvents();
            QVERIFY(events.isVisible() && events.viewport()->height() >= 2 * row);
            QCOMPARE(events.viewport()->height() % row, 0);
            events.verticalScrollBar()->setValue(bar.maximum());
            QCOMPARE(events.visualRect(events.model()->index(events.model()->rowCount() - 1, 0)).bottom(),
                events.viewport()->height() - 1);
            events.verticalScrollBar()->setValue(0);
        }
    }

    /// Each reader has a time and a number of holds of its own.
    void readersHaveTheirOwnTimes()
    {
        cli({ u"HSET"_s, u"report"_s, u"mode"_s, u"read"_s, OwnerA, u"2"_s, OwnerB, u"1"_s });
        cli({ u"PEXPIRE"_s, u"report"_s, u"60000"_s });
        cli({ u"SET"_s, QStringLiteral("{report}:%1:rwlock_timeout:1").arg(OwnerA), u"1"_s, u"PX"_s, u"20000"_s });
        cli({ u"SET"_s, QStringLiteral("{report}:%1:rwlock_timeout:2").arg(OwnerA), u"1"_s, u"PX"_s, u"40000"_s });
        cli({ u"SET"_s, QStringLiteral("{report}:%1:rwlock_timeout:1").arg(OwnerB), u"1"_s, u"PX"_s, u"9000"_s });
        Fixture f(m_server);
        QVERIFY(f.shows("report"));
        const QAbstractItemModel &holders = *test::named<DataTable>(f.detail(), QStringLiteral("Holders"))->model();
        QTRY_COMPARE_WITH_TIMEOUT(holders.rowCount(), 2, Limit);
        const auto row = [&](const QString &owner) {
            for (int i = 0; i < 2; ++i)
                if (holders.index(i, HolderModel::Owner).data(BytesRole).toString() == owner)
                    return i;
            return -1;
        };
        const auto cell
            = [&](const QString &owner, int column) { return holders.index(row(owner), column).data().toString(); };
        QCOMPARE(cell(OwnerA, HolderModel::Holds), QStringLiteral("×2"));
        QCOMPARE(cell(OwnerB, HolderModel::Holds), QStringLiteral("×1"));
        QTRY_VERIFY_WITH_TIMEOUT(
            cell(OwnerA, HolderModel::Ttl).startsWith(QStringLiteral("3")), Limit); // of the hold that lasts longest
        QTRY_COMPARE_WITH_TIMEOUT(cell(OwnerB, HolderModel::Ttl), QStringLiteral("run out"), Limit);
        QVERIFY(cell(OwnerA, HolderModel::HeldFor).startsWith(QStringLiteral("≥ ")));
    }

    /// A recording counts from its beginning, and a chart of the last 90 s may show more.
    void saysSinceWhenItsFiguresCountInARecording()
    {
        const QString file = m_folder.filePath(QStringLiteral("taken.lockrec"));
        {
            Fixture f(m_server);
            take(m_server, u"stock"_s, OwnerA, 60'000);
            QVERIFY(f.shows("stock"));
            f.monitor.recorder().start(file);
            QTRY_VERIFY_WITH_TIMEOUT(
                f.monitor.recorder().state() && f.monitor.recorder().state()->progress.bytes > 0, Limit);
            testsupport::release(m_server, u"stock"_s);
            QTRY_VERIFY_WITH_TIMEOUT(f.page().locks().rowOf("stock") < 0, Limit);
            take(m_server, u"stock"_s, OwnerB, 60'000);
            QVERIFY(f.shows("stock"));
            QTRY_VERIFY_WITH_TIMEOUT(f.says(u"× taken"_s), Limit);
            const auto elapsed = f.monitor.recorder().state()->progress.elapsed;
            QTRY_VERIFY_WITH_TIMEOUT(
                f.monitor.recorder().state()->progress.elapsed > elapsed + std::chrono::seconds(1), Limit);
            f.monitor.recorder().stop();
        }
        Fixture f(m_server);
        f.window.closeConnection();
        f.window.openRecording(file);
        auto &track = *f.window.findChild<ScrubTrack *>();
        QTRY_VERIFY_WITH_TIMEOUT(track.isVisible() && track.isEnabled(), Limit);
        track.setFocus();
        test::press(f.window, Qt::Key_End);
        QVERIFY(f.shows("stock"));
        const auto isSaid = [&] {
            const auto state = f.monitor.replay().state();
            const auto now = std::chrono::floor<Millis>(std::chrono::system_clock::now());
            return state && state->overview
                && f.says(u"since "_s + clockText(state->overview->first, now) + u": 1 × taken · 1 hand-over"_s);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isSaid(), Limit);
    }

    /// At each moment of a recording what was seen until then.
    void tellsTheSameOverARecording()
    {
        fillPool();
        const QString file = m_folder.filePath(QStringLiteral("permits.lockrec"));
        {
            Fixture f(m_server);
            QVERIFY(f.shows("pool"));
            QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit);
            f.monitor.recorder().start(file);
            const auto &chart = *f.detail().findChild<CountChart *>();
            const auto recorded = [&](const char *free) {
                const auto before = chart.picture().curve.steps.size();
                cli({ u"SET"_s, u"pool"_s, QString::fromLatin1(free) });
                return QTest::qWaitFor([&] { return chart.picture().curve.steps.size() > before; }, Limit);
            };
            QVERIFY(recorded("1"));
            cli({ u"ZREM"_s, Deadlines, First });
            QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 2, Limit);
            QVERIFY(recorded("0"));
            f.monitor.recorder().stop();
        }
        Fixture f(m_server);
        f.window.closeConnection();
        f.window.openRecording(file);
        auto &scrub = *f.window.findChild<ScrubBar *>();
        QTRY_VERIFY_WITH_TIMEOUT(scrub.isVisible(), Limit);
        QVERIFY(f.shows("pool"));
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit); // at its beginning
        auto &track = *f.window.findChild<ScrubTrack *>();
        track.setFocus();
        test::press(f.window, Qt::Key_End);
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 2, Limit);
        const auto &chart = *f.detail().findChild<CountChart *>();
        QTRY_COMPARE_WITH_TIMEOUT(
            chart.picture().curve.steps.back().value, std::optional<std::int64_t>(1), Limit); // and one overdue
        QTRY_VERIFY_WITH_TIMEOUT(chart.picture().curve.steps.size() >= 2, Limit); // events come behind the picture
        const auto atTheEnd = chart.picture().curve.steps.size();
        auto &button = f.button(QStringLiteral("Return a permit…"));
        f.clickPermit(0, PermitModel::Return);
        QVERIFY(!button.isEnabled() && !f.dialog());
        QVERIFY2(button.toolTip().contains(QStringLiteral("recording")), qPrintable(button.toolTip()));
        track.setFocus();
        test::press(f.window, Qt::Key_Home);
        QTRY_COMPARE_WITH_TIMEOUT(f.permits().model()->rowCount(), 3, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(chart.picture().curve.steps.size() < atTheEnd, Limit);
    }

private:
    QByteArray cli(const QStringList &arguments) const { return m_server.cli(arguments); }

    void fillPool() const { fillPool(m_server); }
    static void fillPool(const RedisServer &server)
    {
        server.cli({ QStringLiteral("SET"), QStringLiteral("pool"), QStringLiteral("2") });
        server.cli({ QStringLiteral("ZADD"), Deadlines, in(Millis(60'000)), First, in(Millis(-9'000)), Second, NoLease,
            Third });
    }

    /// What comes to the clipboard by a click; the line may still move down when more is known of the lock.
    static QString copiedToken(Fixture &f)
    {
        QGuiApplication::clipboard()->clear();
        const auto *copy = test::named<QPushButton>(f.detail(), QStringLiteral("Copy the token"));
        QCoreApplication::sendPostedEvents();
        if (copy->isVisible())
            test::click(test::middleOf(*copy));
        return QGuiApplication::clipboard()->text();
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

QTEST_MAIN(LockDetailTest)
#include "tst_lock_detail.moc"
