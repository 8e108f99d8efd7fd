// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/charts/ttl_chart.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/support/widgets.h"
#include "ui/views/banners.h"
#include "ui/views/detail_panel.h"
#include "ui/views/empty_state.h"
#include "ui/views/event_table.h"
#include "ui/views/events_page.h"
#include "ui/views/scrub_bar.h"

#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

using namespace lockui;
using namespace std::chrono_literals;
using testsupport::RedisServer;

namespace {

constexpr int Limit = 20'000;

} // namespace

class TestRecordingWindow : public QObject, test::TestWindow {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QApplication::setDoubleClickInterval(0); // what is clicked on is meant, however lately it changed
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("it"),
            QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"), QStringLiteral("1") });
        m_server.cli({ QStringLiteral("PEXPIRE"), QStringLiteral("it"), QStringLiteral("60000") });
        window.show();
    }

    void saysThatItRecords()
    {
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        QVERIFY(recordButton().isVisible());
        monitor.recorder().start(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        savePicture("recording");
        QVERIFY2(recordButton().toolTip().contains(QStringLiteral("A click ends that")),
            qPrintable(recordButton().toolTip()));
        recordButton().click();
        QVERIFY(!monitor.recorder().state());
        QCOMPARE(recordButton().text(), QStringLiteral("Record"));
    }

    void saysWhereTheRecordingIsAndShowsIt()
    {
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = window.findChild<NoticeDialog *>()), Limit);
        QVERIFY(test::saying<QLabel>(*notice, m_file));
        QVERIFY(test::button(*notice, QStringLiteral("Open its folder")));
        QVERIFY(QTest::qWaitForWindowExposed(notice));
        QVERIFY(!notice->isModal());
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window)); // what is watched goes on, and the notice is in nobody's way
        test::press(window, Qt::Key_5, Qt::ControlModifier);
        QTRY_VERIFY(window.findChild<EventsPage *>()->isVisible());
        test::press(window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY(page().isVisible());
        auto *show = test::button(*notice, QStringLiteral("Show it…"));
        QTest::mouseClick(show, Qt::LeftButton);
        const auto asked = [&] { return window.findChild<PermissionDialog *>(); };
        QTRY_VERIFY(asked() && QTest::qWaitForWindowExposed(asked())); // what is watched is not given up unasked
        QTest::mouseClick(test::button(*asked(), QStringLiteral("Go on watching")), Qt::LeftButton);
        QTRY_VERIFY(!asked());
        QVERIFY(!scrubBar().isVisible());
        QCOMPARE(page().locks().rowCount(), 1);
        QTest::mouseClick(show, Qt::LeftButton);
        QTRY_VERIFY(asked() && QTest::qWaitForWindowExposed(asked()));
        QTest::mouseClick(test::button(*asked(), QStringLiteral("Close it and show the recording")), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<NoticeDialog *>() == nullptr, Limit);
        window.closeConnection();
    }

    /// Whoever ends it is answered by the notice: its keys are those of the notice.
    void theNoticeHasTheKeysWhereAPersonEndedTheRecording()
    {
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto notice = [this] { return window.findChild<NoticeDialog *>(); };
        monitor.recorder().start(folder.filePath(QStringLiteral("keys.lockrec")));
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        test::press(window, Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(notice() && notice()->isVisible(), Limit);
        QVERIFY(!notice()->testAttribute(Qt::WA_ShowWithoutActivating)); // which not every platform looks at
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), static_cast<QWidget *>(notice()), Limit);
        QTest::keyClick(QApplication::focusWindow(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!notice(), Limit);
        // With its connection it may end while a person writes.
        monitor.recorder().start(folder.filePath(QStringLiteral("words.lockrec")));
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        test::press(window, Qt::Key_K, Qt::ControlModifier);
        monitor.recorder().stop();
        QTRY_VERIFY_WITH_TIMEOUT(notice() && notice()->isVisible(), Limit);
        QVERIFY(notice()->testAttribute(Qt::WA_ShowWithoutActivating));
        notice()->close();
        QTRY_VERIFY_WITH_TIMEOUT(!notice(), Limit);
        window.closeConnection();
    }

    /// Nor does a file that is chosen end what is watched unasked.
    void asksBeforeAFileTakesThePlaceOfAConnection()
    {
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        const auto asked = [&] { return window.findChild<PermissionDialog *>(); };
        for (const char *answer : { "Go on watching", "Close it and show the recording" }) {
            chooseFile(m_file);
            QTRY_VERIFY(asked() && QTest::qWaitForWindowExposed(asked()));
            QVERIFY(!scrubBar().isVisible());
            QTest::mouseClick(test::button(*asked(), QString::fromUtf8(answer)), Qt::LeftButton);
            QTRY_VERIFY(!asked());
        }
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        window.closeConnection();
    }

    /// It is looked at first, and what is open stays: a connection, or a recording.
    void keepsWhatIsOpenWhereAFileCannotBeShown()
    {
        const QString garbage = written("garbage", QByteArray(9'000, 'x'));
        const QString shortened = written("shortened", contentOf(m_file).left(5'000));
        const auto refused = [&] { return window.findChild<NoticeDialog *>(); };
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        for (const bool isLive : { true, false }) {
            for (const QString &file : { garbage, shortened }) {
                chooseFile(file);
                QTRY_VERIFY_WITH_TIMEOUT(refused(), Limit);
                QVERIFY(test::saying<QLabel>(*refused(), QStringLiteral("The recording cannot be shown.")));
                QVERIFY(test::saying<QLabel>(*refused(), QFileInfo(file).fileName()));
                QVERIFY(!window.findChild<PermissionDialog *>());
                refused()->close();
                QTRY_VERIFY_WITH_TIMEOUT(!refused(), Limit);
                QCOMPARE(page().locks().rowCount(), 1);
                QCOMPARE(recordButton().isVisible(), isLive);
                QCOMPARE(scrubBar().isVisible(), !isLive);
            }
            if (isLive) {
                window.openRecording(m_file);
                QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible() && page().locks().rowCount() == 1, Limit);
            }
        }
        window.closeConnection();
    }

    /// Where nothing else was open: about the file, and not about a server.
    void saysOfAFileWhyItCannotBeShownAndOpensAnother()
    {
        const QString file = written("later.lockrec", QByteArray(9'000, 'x'));
        auto *state = page().findChild<EmptyState *>();
        const auto closeNotice = [&] {
            const auto box = [this] { return window.findChild<NoticeDialog *>(); };
            QTRY_VERIFY_WITH_TIMEOUT(box(), Limit);
            box()->close();
            QTRY_VERIFY_WITH_TIMEOUT(!box(), Limit);
        };
        window.openRecording(file);
        QCOMPARE(state->accessibleName(), QStringLiteral("Opening the recording…"));
        QTRY_COMPARE_WITH_TIMEOUT(state->accessibleName(), QStringLiteral("The recording cannot be shown"), Limit);
        closeNotice();
        QVERIFY(test::saying<QLabel>(*state, QStringLiteral("the file is not a recording of Lockscope")));
        QVERIFY(!test::saying<QLabel>(*state, QStringLiteral("rights")));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        test::click(test::middleOf(*test::button(*state, QStringLiteral("Open another recording…"))));
        const auto dialog = [this] { return window.findChild<QFileDialog *>(); };
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        dialog()->close();
        QTRY_VERIFY(!dialog());
        QVERIFY(!window.findChild<ConnectionDialog *>());
        window.showPage(QStringLiteral("timeline"));
        QVERIFY(test::saying<QLabel>(window, QStringLiteral("The recording cannot be shown")));
        window.showPage(QStringLiteral("locks"));
        written("later.lockrec", contentOf(m_file));
        test::click(test::middleOf(*test::button(*state, QStringLiteral("Try again now"))));
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        window.closeConnection();
    }

    /// Wherever it is damaged, it is shown or it is said that it cannot be: nothing is awaited then.
    void endsToOpenADamagedFile()
    {
        constexpr qsizetype Page = 4'096;
        const QByteArray good = contentOf(m_file);
        auto *state = page().findChild<EmptyState *>();
        int refused = 0;
        for (qsizetype at = Page; at + Page <= good.size(); at += Page) {
            QByteArray bad = good;
            bad.replace(at, 2'000, QByteArray(2'000, '\xa5'));
            window.openRecording(written("worn.lockrec", bad));
            const auto isRefused = [&] {
                return state->isVisible() && state->accessibleName() == QStringLiteral("The recording cannot be shown");
            };
            QTRY_VERIFY2_WITH_TIMEOUT(isRefused() || (scrubBar().isVisible() && page().locks().rowCount() == 1),
                qPrintable(QString::number(at) + QLatin1Char(' ') + state->accessibleName()), Limit);
            if (isRefused()) {
                ++refused;
                QVERIFY(!scrubBar().isVisible());
                const QString why = state->accessibleDescription();
                QVERIFY2(why.contains(QStringLiteral("damaged")), qPrintable(QString::number(at) + why));
                QVERIFY2(!why.contains(QStringLiteral("damaged -")), qPrintable(why)); // before its beginning
            }
            window.closeConnection();
            const auto box = [this] { return window.findChild<NoticeDialog *>(); };
            for (; refused > 0 && box(); QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete))
                box()->close();
        }
        QVERIFY(refused > 1);
    }

    void showsARecordingAndLetsNobodyAct()
    {
        window.openRecording(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        QVERIFY(!recordButton().isVisible());
        const auto *act = releaseButton();
        QVERIFY(act != nullptr && !act->isEnabled());
        QVERIFY(act->toolTip().contains(QStringLiteral("recording")));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (const auto &[key, why] : { std::pair(Qt::Key_R, "nothing new to record"), { Qt::Key_Space, "Ctrl+P" } }) {
            test::press(window, key, Qt::ControlModifier);
            QTRY_VERIFY2(QToolTip::text().contains(QLatin1String(why)), qPrintable(QToolTip::text()));
            QVERIFY(!window.findChild<QFileDialog *>());
            QVERIFY(!window.windowTitle().contains(QStringLiteral("Paused")));
        }
        monitor.replay().play(16);
        QTRY_VERIFY_WITH_TIMEOUT(monitor.replay().state()->at == monitor.replay().state()->overview->last, Limit);
        savePicture("replay");
        Q_EMIT page().clientSearchRequested(page().selectedLock()->holders.front().owner);
        const auto box = [this] { return window.findChild<NoticeDialog *>(); };
        QVERIFY(box() != nullptr && box()->findChild<QLabel *>()->text().contains(QStringLiteral("recording")));
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(box() == nullptr, Limit);
        window.closeConnection();
        QVERIFY(!scrubBar().isVisible());
        QVERIFY(!monitor.replay().state());
    }

    /// Play begins again from there, as it does when it came there by itself.
    void theEndKeyGoesToTheEnd()
    {
        window.openRecording(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto &track = *window.findChild<ScrubTrack *>();
        test::click(test::placeIn(track, { track.width() / 3, track.height() / 2 }));
        test::press(window, Qt::Key_End);
        const auto state = [this] { return *monitor.replay().state(); };
        QTRY_VERIFY_WITH_TIMEOUT(state().at == state().overview->last, Limit);
        QCOMPARE(track.value(), track.maximum());
        test::press(window, Qt::Key_P, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(state().playing && state().at < state().overview->last, Limit);
        test::press(window, Qt::Key_Home);
        window.closeConnection();
    }

    /// As sliders have it: what adds is later.
    void keysGoEarlierAndLater()
    {
        window.openRecording(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto &track = *window.findChild<ScrubTrack *>();
        track.setFocus();
        test::press(window, Qt::Key_Home);
        const int page = std::max(1, track.maximum() / 20);
        const int second = std::min(1'000, track.maximum());
        const std::pair<Qt::Key, int> keys[]
            = { { Qt::Key_PageUp, page }, { Qt::Key_PageDown, 0 }, { Qt::Key_Right, second }, { Qt::Key_Left, 0 },
                  { Qt::Key_Up, second }, { Qt::Key_Down, 0 }, { Qt::Key_End, track.maximum() }, { Qt::Key_Home, 0 } };
        for (const auto &[key, place] : keys) {
            test::press(window, key);
            QCOMPARE(track.value(), place);
        }
        window.closeConnection();
    }

    /// Up to the moment that is shown, and forgotten by a jump back.
    void tellsWhatHappenedInIt()
    {
        const QString file = folder.filePath(QStringLiteral("events.lockrec"));
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        monitor.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        window.showPage(QStringLiteral("events"));
        const QAbstractItemModel &rows = *test::named<EventTable>(window, QStringLiteral("Events"))->model();
        const auto isTold = [&] {
            for (int row = 0; row < rows.rowCount(); ++row)
                if (rows.index(row, EventModel::Lock).data().toString() == QStringLiteral("during"))
                    return true;
            return false;
        };
        QVERIFY(!isTold());
        testsupport::take(m_server, QStringLiteral("during"), testsupport::OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), Limit);
        monitor.recorder().stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = window.findChild<NoticeDialog *>()), Limit);
        notice->close();
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<NoticeDialog *>() == nullptr, Limit);

        window.openRecording(file);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        QVERIFY(!isTold());
        auto &track = *window.findChild<ScrubTrack *>();
        track.setFocus();
        test::press(window, Qt::Key_End);
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            test::saying<ElidedLabel>(*window.findChild<EventsPage *>(), QStringLiteral("of the recording")), Limit);
        test::press(window, Qt::Key_Home);
        const auto isBlank = [&] { return rows.rowCount() > 0 && !rows.index(0, EventModel::What).data().isValid(); };
        QTRY_VERIFY_WITH_TIMEOUT(!isTold() && !isBlank(), Limit);
        window.closeConnection();
        window.showPage(QStringLiteral("locks"));
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("during") });
    }

    /// Of a lock that is not there at the moment that is shown nothing is told of another moment.
    void tellsNothingOfAnotherMoment()
    {
        const QString file = folder.filePath(QStringLiteral("moments.lockrec"));
        const QString passing = QStringLiteral("passing");
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        const auto isHeld = [&] { return monitor.latest()->locks.find("passing") != nullptr; };
        const auto isFree = [&] { return !isHeld(); };
        const auto hold = [&](const QString &owner) -> std::optional<lockcore::WallTime> {
            testsupport::take(m_server, passing, owner, 60'000);
            const auto moment
                = QTest::qWaitFor(isHeld, Limit) ? std::optional(monitor.latest()->takenAt.wall) : std::nullopt;
            for (int seconds = 0; moment && seconds < 2; ++seconds) // longer than from one recorded picture to the next
                if (!QTest::qWaitFor([&, at = recordButton().text()] { return recordButton().text() != at; }, Limit))
                    return std::nullopt;
            m_server.cli({ QStringLiteral("DEL"), passing });
            return QTest::qWaitFor(isFree, Limit) ? moment : std::nullopt;
        };
        monitor.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        const auto held = hold(testsupport::OwnerA);
        QVERIFY(held && hold(testsupport::OwnerB));
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text() >= QStringLiteral("0:03"), Limit);
        monitor.recorder().stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = window.findChild<NoticeDialog *>()), Limit);
        notice->close();

        window.openRecording(file);
        QTRY_VERIFY_WITH_TIMEOUT(scrubBar().isVisible(), Limit);
        auto &replay = monitor.replay();
        replay.seek(*held + 900ms); // its picture comes a little after the event
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), Limit);
        window.selectLock("passing");
        const auto &detail = *window.findChild<DetailPanel *>();
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(detail, QStringLiteral("Holder")), Limit);
        replay.seek(replay.state()->overview->last);
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<ElidedLabel>(detail, QStringLiteral("5d0e77c1…:112")), Limit);
        QVERIFY(test::saying<QLabel>(detail, QStringLiteral("It changed after it was looked at last")));
        const auto chartSays = [&](const char *text) {
            return detail.findChild<TtlChart *>()->accessibleDescription().contains(QLatin1String(text));
        };
        QTRY_VERIFY(chartSays("passed over")); // it was seen, whatever leads there
        QVERIFY(!chartSays("not seen"));
        savePicture("passed-over");
        replay.seek(replay.state()->overview->first);
        QTRY_VERIFY_WITH_TIMEOUT(
            test::saying<QLabel>(detail, QStringLiteral("“passing” is not among the locks that are seen")), Limit);
        window.closeConnection();
    }

    /// What is missing is told as that, not as a failure: the recording stands behind the notice.
    void warnsOfACopyWithoutItsLog()
    {
        const QString copy = folder.filePath(QStringLiteral("copy.lockrec"));
        QVERIFY(QFile::copy(m_file, copy));
        QFile header(copy);
        QVERIFY(header.open(QIODevice::ReadWrite) && header.seek(18));
        QCOMPARE(header.write("\2\2"), 2); // as SQLite marks a file with a log beside it
        header.close();
        window.openRecording(copy);
        const auto box = [this] { return window.findChild<NoticeDialog *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(box() != nullptr, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        QVERIFY(scrubBar().isVisible());
        QVERIFY(test::saying<QLabel>(*box(), QStringLiteral("-wal")));
        const QString heading = box()->findChild<QLabel *>()->text();
        QVERIFY2(heading.contains(QStringLiteral("is shown")), qPrintable(heading));
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(box() == nullptr, Limit);
        window.closeConnection();
    }

    /// One notice, which Esc closes; and no lock is said to have no events where they cannot be read.
    void saysInOneNoticeAllThatIsWrong()
    {
        const QString copy = folder.filePath(QStringLiteral("worn copy.lockrec"));
        QVERIFY(QFile::copy(m_file, copy));
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
            database.setDatabaseName(copy);
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(QStringLiteral("UPDATE event SET count = 7")));
            QVERIFY(QSqlQuery(database).exec(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("test"));
        QFile header(copy);
        QVERIFY(header.open(QIODevice::ReadWrite) && header.seek(18));
        QCOMPARE(header.write("\2\2"), 2); // as SQLite marks a file with a log beside it
        header.close();
        window.activateWindow();
        window.openRecording(copy);
        const auto box = [this] { return window.findChild<NoticeDialog *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(box() && scrubBar().isVisible() && page().locks().rowCount() == 1, Limit);
        QCOMPARE(window.findChildren<NoticeDialog *>().size(), 1);
        for (const QString &said :
            { copy, QStringLiteral("-wal"), QStringLiteral("It is damaged 0.0 s after its beginning."),
                QStringLiteral("What can be read of it is shown.") })
            QVERIFY2(test::saying<QLabel>(*box(), said), qPrintable(said));
        QVERIFY(!test::saying<QLabel>(*box(), QStringLiteral("the recording /")));
        QTRY_COMPARE_WITH_TIMEOUT(QApplication::activeWindow(), static_cast<QWidget *>(box()), Limit);
        QTest::keyClick(QApplication::focusWindow(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(!box(), Limit);
        window.selectLock("it");
        const auto &detail = *window.findChild<DetailPanel *>();
        for (const char *said :
            { "Events · they were recorded, and cannot be read", "what was recorded of it until now cannot be read" })
            QTRY_VERIFY2_WITH_TIMEOUT(test::saying<QLabel>(detail, QString::fromUtf8(said)), said, Limit);
        window.showPage(QStringLiteral("events"));
        QTRY_VERIFY(
            test::saying<QLabel>(*window.findChild<EventsPage *>(), QStringLiteral("What happened cannot be read")));
        window.showPage(QStringLiteral("locks"));
        window.closeConnection();
    }

    /// What comes while a notice is open is told by that one.
    void saysInTheOpenNoticeWhatIsFoundLater()
    {
        using namespace lockcore;
        Q_EMIT monitor.replay().warned({ errorOf(ErrorCode::FileFailed, { Phrase::CutShort }, {}) });
        Q_EMIT monitor.replay().failed(errorOf(ErrorCode::FileFailed, { Phrase::DamagedAt, { "4400" } }));
        const auto boxes = [this] { return window.findChildren<NoticeDialog *>(); };
        QCOMPARE(boxes().size(), 1);
        for (const char *said : { "The file was cut short", "The recording cannot be shown.", "damaged 4.4 s after" })
            QTRY_VERIFY2(test::saying<QLabel>(*boxes().front(), QString::fromUtf8(said)), said);
        boxes().front()->close();
        QTRY_VERIFY_WITH_TIMEOUT(boxes().empty(), Limit);
    }

    /// The rest is shown, and where the end cannot be read nothing says that it was seen.
    void staysWhereItIsWhereTheMomentIsDamaged()
    {
        const QString file = folder.filePath(QStringLiteral("damaged.lockrec"));
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        monitor.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        testsupport::take(m_server, QStringLiteral("late"), testsupport::OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 2, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:02")), Limit);
        monitor.recorder().stop();
        const auto box = [this] { return window.findChild<NoticeDialog *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(box(), Limit);
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(!box(), Limit);
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
            database.setDatabaseName(file);
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(
                QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = (SELECT max(at) FROM frame)")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("test"));

        window.openRecording(file);
        QTRY_VERIFY_WITH_TIMEOUT(box() && scrubBar().isVisible(), Limit);
        QVERIFY(test::saying<QLabel>(*box(), QStringLiteral("The recording is shown, but it is not whole.")));
        QVERIFY(test::saying<QLabel>(*box(), QStringLiteral(" s after its beginning")));
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(!box(), Limit);
        const auto overview = monitor.replay().state()->overview;
        QCOMPARE(overview->gaps.size(), 1);
        QCOMPARE(std::chrono::floor<lockcore::Millis>(overview->gaps[0].last.time_since_epoch()),
            overview->last.time_since_epoch());
        auto &track = *window.findChild<ScrubTrack *>();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto isBack = [&] {
            return track.value() == 0 && !track.isSliderDown() && monitor.replay().state()->at == overview->first;
        };
        const test::Place end = test::placeIn(track, { track.width() - 2, track.height() / 2 });
        QTest::mousePress(end.window, Qt::LeftButton, {}, end.point);
        QTRY_VERIFY_WITH_TIMEOUT(box(), Limit); // before the hand is off it
        QVERIFY(test::saying<QLabel>(*box(), QStringLiteral("This moment of the recording cannot be shown.")));
        QVERIFY(isBack());
        QTest::mouseRelease(end.window, Qt::LeftButton, {}, end.point);
        QVERIFY(isBack());
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(!box(), Limit);
        track.setFocus();
        test::press(window, Qt::Key_End);
        QTRY_VERIFY_WITH_TIMEOUT(box(), Limit);
        QVERIFY(isBack());
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(!box(), Limit);
        window.closeConnection();
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("late") });
    }

    void saysWhyARecordingCannotBeShown()
    {
        window.openRecording(folder.filePath(QStringLiteral("nothing")));
        const auto box = [this] { return window.findChild<NoticeDialog *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(box() != nullptr, Limit);
        QVERIFY(test::saying<QLabel>(*box(), QStringLiteral("There is no such file.")));
        box()->close();
        QTRY_VERIFY_WITH_TIMEOUT(box() == nullptr, Limit);
        window.closeConnection();
    }

    /// Nothing comes there by itself, and no server can be looked at again.
    void saysHowToGoOnWhereNothingIsLocked()
    {
        m_server.cli({ QStringLiteral("FLUSHALL") });
        const QString file = folder.filePath(QStringLiteral("empty.lockrec"));
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        auto *state = page().findChild<EmptyState *>();
        QTRY_COMPARE_WITH_TIMEOUT(state->accessibleName(), QStringLiteral("No locks"), Limit);
        monitor.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        recordButton().click();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = window.findChild<NoticeDialog *>()), Limit);
        notice->close();
        window.openRecording(file);
        QTRY_COMPARE_WITH_TIMEOUT(state->accessibleName(), QStringLiteral("No locks at this moment"), Limit);
        QTRY_VERIFY(test::saying<QLabel>(*state, QStringLiteral("No event follows")));
        QVERIFY(!test::saying<QLabel>(*state, QStringLiteral("Alt+→")));
        for (const auto *each : state->findChildren<QPushButton *>())
            QVERIFY(!each->isVisible());
        window.showPage(QStringLiteral("timeline"));
        const auto says = [this](const char *text) { return test::saying<QLabel>(window, QString::fromUtf8(text)); };
        QTRY_VERIFY_WITH_TIMEOUT(says("None until this moment of the recording, and no event follows in it"), Limit);
        window.closeConnection();
        window.showPage(QStringLiteral("locks"));

        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(state->accessibleName(), QStringLiteral("No locks"), Limit);
        const QString later = folder.filePath(QStringLiteral("later event.lockrec"));
        monitor.recorder().start(later);
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        testsupport::take(m_server, QStringLiteral("during"), testsupport::OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        recordButton().click();
        QTRY_VERIFY_WITH_TIMEOUT((notice = window.findChild<NoticeDialog *>()), Limit);
        notice->close();
        window.openRecording(later);
        QTRY_COMPARE_WITH_TIMEOUT(state->accessibleName(), QStringLiteral("No locks at this moment"), Limit);
        QTRY_VERIFY(test::saying<QLabel>(*state, QStringLiteral("Alt+→")));
        window.closeConnection();
    }

    /// What it says is of the one before, and its buttons would be taken for those of the next one.
    void tellsWhereItIsNoLongerWhenTheNextOneBegins()
    {
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        window.openConnection(profile);
        QTRY_COMPARE_WITH_TIMEOUT(page().locks().rowCount(), 1, Limit);
        const auto notice = [this] { return window.findChild<NoticeDialog *>(); };
        monitor.recorder().start(folder.filePath(QStringLiteral("one.lockrec")));
        QTRY_VERIFY_WITH_TIMEOUT(recordButton().text().startsWith(QStringLiteral("0:01")), Limit);
        recordButton().click();
        QTRY_VERIFY_WITH_TIMEOUT(notice() && notice()->isVisible(), Limit);
        monitor.recorder().start(folder.filePath(QStringLiteral("two.lockrec")));
        QTRY_VERIFY_WITH_TIMEOUT(!notice(), Limit);
        QVERIFY(monitor.recorder().state());
        window.closeConnection();
        QTRY_VERIFY_WITH_TIMEOUT(notice(), Limit);
        QVERIFY(test::saying<QLabel>(*notice(), QStringLiteral("two.lockrec")));
        notice()->close();
    }

private:
    void chooseFile(const QString &file)
    {
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        test::press(window, Qt::Key_O, Qt::ControlModifier);
        QFileDialog *open = nullptr;
        QTRY_VERIFY((open = window.findChild<QFileDialog *>()) && open->isVisible());
        auto *name = open->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        name->setText(file);
        QTest::keyClick(name, Qt::Key_Return);
    }
    QString written(const char *name, const QByteArray &content)
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName() : QString();
    }
    static QByteArray contentOf(const QString &name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    ScrubBar &scrubBar() { return *window.findChild<ScrubBar *>(); }
    QToolButton &recordButton()
    {
        for (auto *each : window.findChildren<QToolButton *>())
            if (each->accessibleName() == QStringLiteral("Record")
                || each->accessibleName().startsWith(QStringLiteral("Stop the recording, ")))
                return *each;
        qFatal("there is no button to record");
    }
    QAbstractButton *releaseButton()
    {
        for (auto *each : window.findChildren<QAbstractButton *>())
            if (each->text().startsWith(QStringLiteral("Force release")))
                return each;
        return nullptr;
    }
    void savePicture(const char *name)
    {
        if (const QString place = qEnvironmentVariable("PICTURES"); !place.isEmpty())
            QVERIFY(window.grab().save(place + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png")));
    }

    RedisServer m_server;
    QString m_file = folder.filePath(QStringLiteral("it.lockrec"));
};

QTEST_MAIN(TestRecordingWindow)
#include "tst_recording_window.moc"
