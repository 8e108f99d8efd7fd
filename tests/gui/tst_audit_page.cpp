// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/actions/audit_log.h"
#include "lockcore/transport/clock.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/models/roles.h"
#include "ui/support/widgets.h"
#include "ui/views/audit_page.h"
#include "ui/views/export_button.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

struct Fixture : TestWindow {
    Fixture()
    {
        page = window.findChild<AuditPage *>();
        table = named<QTableView>(*page, QStringLiteral("Actions on locks"));
        new QAbstractItemModelTester(
            table->model(), QAbstractItemModelTester::FailureReportingMode::Fatal, table->model());
    }

    void show()
    {
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        press(window, Qt::Key_6, Qt::ControlModifier);
        QVERIFY(page->isVisible());
    }
    void open(const RedisServer &server, const QString &ownAudit = {})
    {
        ConnectionProfile profile;
        profile.deployment = server.endpoint();
        profile.name = QStringLiteral("billing");
        profile.environment = QStringLiteral("TEST");
        profile.auditFile = ownAudit;
        window.openConnection(profile);
    }
    std::string chosenLock() // on the page of locks; empty: none yet
    {
        const auto lock = TestWindow::page().selectedLock();
        return lock ? lock->name : std::string();
    }
    /// As a person does it: writable, the button, a reason, the confirmation.
    void forceRelease(const char *reason)
    {
        press(window, Qt::Key_1, Qt::ControlModifier);
        if (!monitor.isWritable()) {
            click(middleOf(*access()));
            window.findChild<WritableDialog *>()->accept();
        }
        auto *release = test::button(window, QStringLiteral("Force release…"));
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), Limit);
        click(middleOf(*release));
        auto *dialog = window.findChild<ForceReleaseDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        QTest::keyClicks(
            named<QLineEdit>(*dialog, QStringLiteral("Reason, for the audit log")), QString::fromLatin1(reason));
        auto *confirm = test::button(*dialog, QStringLiteral("Force release"));
        QTRY_VERIFY_WITH_TIMEOUT(confirm->isEnabled(), Limit);
        QTest::mouseClick(confirm, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(test::button(*dialog, QStringLiteral("Close")), Limit);
        dialog->close();
        window.activateWindow(); // as a window manager does
        QTRY_VERIFY(window.isActiveWindow());
        press(window, Qt::Key_6, Qt::ControlModifier);
        QTRY_VERIFY(page->isVisible());
    }

    std::string begin(const std::string &lock, const std::string &reason, WallTime at = transport::wallNow()) const
    {
        const ForceRelease command{ lock, Kind::Fair, { { { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" }, {} } },
            reason };
        return AuditLog(audit).begin(command, "10.0.0.5:6379", at).value();
    }
    void end(const std::string &id, const Result<CommandOutcome> &outcome, WallTime at = transport::wallNow()) const
    {
        QVERIFY(AuditLog(audit).end(id, outcome, at));
    }
    void done(const std::string &lock, const std::string &reason) const
    {
        end(begin(lock, reason), CommandOutcome{ true, {}, true });
    }

    int rows() const { return table->model()->rowCount(); }
    QString cell(int row, int column) const { return table->model()->index(row, column).data().toString(); }
    bool says(const QString &text) const { return saying<QLabel>(*page, text) != nullptr; }
    bool figureSays(const char *text) const { return saying<ElidedLabel>(*page, QString::fromUtf8(text)) != nullptr; }
    QString shownLock() const { return page->findChild<AuditDetail *>()->findChild<ElidedLabel *>()->text(); }

    AuditPage *page;
    QTableView *table;
};

QByteArray contentOf(const QString &file)
{
    QFile stored(file);
    return stored.open(QIODevice::ReadOnly) ? stored.readAll() : QByteArray();
}

/// The menu of a button waits in a loop of its own.
template <typename Call>
void onceOpen(QMenu &menu, Call call)
{
    const auto type = static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection);
    QObject::connect(&menu, &QMenu::aboutToShow, &menu, call, type);
}

QFileDialog *dialogOf(const Fixture &f)
{
    QFileDialog *dialog = nullptr;
    return QTest::qWaitFor(
               [&] {
                   dialog = f.window.findChild<QFileDialog *>();
                   return dialog != nullptr && dialog->isVisible();
               },
               Limit)
        ? dialog
        : nullptr;
}

} // namespace

class AuditPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void showsWhatWasReallyDone()
    {
        take(m_server, QStringLiteral("stuck"), OwnerA, 60'000);
        Fixture f;
        f.open(m_server);
        f.show();
        QTRY_VERIFY(f.says(QStringLiteral("Nothing was done yet")));
        f.forceRelease("its machine is gone");
        QTRY_COMPARE_WITH_TIMEOUT(
            m_server.cli({ QStringLiteral("EXISTS"), QStringLiteral("stuck") }), QByteArray("0"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, AuditModel::Outcome), QStringLiteral("done"), Limit);
        QCOMPARE(f.cell(0, AuditModel::Lock), QStringLiteral("stuck"));
        const auto when = f.table->model()->index(0, AuditModel::When).data(Qt::ToolTipRole).toString();
        QVERIFY2(when.contains(QStringLiteral(" (UTC")), qPrintable(when)); // with its day, for other logs
        QCOMPARE(f.cell(0, AuditModel::Action), QStringLiteral("force release"));
        QCOMPARE(f.cell(0, AuditModel::Target), QStringLiteral("7f21aa09…:7"));
        QCOMPARE(f.cell(0, AuditModel::Reason), QStringLiteral("its machine is gone"));
        QVERIFY(f.cell(0, AuditModel::Person).startsWith(QString::fromStdString(auditUser())));
        // All of it in the detail: whom the person saw, and whom the server found.
        QCOMPARE(f.shownLock(), QStringLiteral("stuck"));
        int owners = 0;
        for (const QLabel *label : f.page->findChildren<QLabel *>())
            owners += label->text() == OwnerA ? 1 : 0;
        QCOMPARE(owners, 2);
        QVERIFY(f.says(QStringLiteral("The message that wakes who waits was sent.")));
        QVERIFY(f.says(QStringLiteral("billing · TEST")));
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "billing");
        QTRY_COMPARE(f.rows(), 1);
        type(f.window, "x");
        QTRY_COMPARE(f.rows(), 0);
    }

    void recordsWhereTheConnectionSays()
    {
        take(m_server, QStringLiteral("stuck"), OwnerA, 60'000);
        Fixture f;
        f.done("elsewhere", "before");
        const QString own = f.folder.filePath(QStringLiteral("demo.jsonl"));
        f.open(m_server, own);
        f.show();
        f.forceRelease("of the demo");
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, AuditModel::Outcome), QStringLiteral("done"), Limit);
        QCOMPARE(contentOf(own).count('\n'), 2);
        QCOMPARE(contentOf(f.audit).count('\n'), 2); // what was there before
        f.window.closeConnection();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, AuditModel::Lock), QStringLiteral("elsewhere"), Limit);
        take(m_server, QStringLiteral("stuck"), OwnerA, 60'000);
        f.open(m_server);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.phase, monitor::SourcePhase::Live, Limit);
        f.monitor.setWritable(true);
        f.monitor.submit(ForceRelease{
            "stuck", Kind::Reentrant, { { { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" }, {} } }, "of a person" });
        QTRY_COMPARE_WITH_TIMEOUT(contentOf(f.audit).count('\n'), 4, Limit);
        QCOMPARE(contentOf(own).count('\n'), 2);
    }

    void saysWhereActionsWillBeRecorded()
    {
        Fixture f;
        f.show();
        QTRY_VERIFY(f.says(QStringLiteral("Nothing was done yet")));
        QVERIFY(saying<QLabel>(*f.page, f.audit));
        QVERIFY(!f.page->findChild<ExportButton *>()->isEnabled());
        for (auto *button : f.page->findChildren<QAbstractButton *>()) {
            if (button->text() != QLatin1String("Copy path") || !button->isVisible())
                continue;
            QGuiApplication::clipboard()->clear();
            click(middleOf(*button));
            QCOMPARE(QGuiApplication::clipboard()->text(), f.audit);
        }
        f.done("now", "it came");
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QVERIFY(f.table->isVisible());
    }

    void saysWhyItCannotBeRead()
    {
        Fixture f;
        QVERIFY(QDir().mkpath(f.audit)); // a folder is no file
        f.show();
        QTRY_VERIFY(f.says(QStringLiteral("The audit log cannot be read")));
        QVERIFY(saying<QLabel>(*f.page, f.audit));
        QVERIFY(QDir().rmdir(f.audit));
        f.done("a", "r");
        click(middleOf(*test::button(*f.page, QStringLiteral("Try again"))));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
    }

    void marksWhatIsNotDone()
    {
        Fixture f;
        f.begin("long ago", "r", transport::wallNow() - Millis(120'000));
        f.end(f.begin("lost", "r"), failure(ErrorCode::ReplyTimeout, "no reply", "there"));
        f.end(f.begin("failed", "r"), failure(ErrorCode::PermissionDenied, "NOPERM", "there"));
        HolderReading other;
        other.owner = { "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };
        f.end(f.begin("refused", "r"), CommandOutcome{ false, { other } });
        f.done("done", "r");
        const std::string now = f.begin("now", "r");
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 6, Limit);
        const auto row = [&](int at, const char *lock, const char *outcome, bool isMarked) {
            QCOMPARE(f.cell(at, AuditModel::Lock), QString::fromUtf8(lock));
            QCOMPARE(f.cell(at, AuditModel::Outcome), QString::fromUtf8(outcome));
            QCOMPARE(f.table->model()->index(at, AuditModel::Outcome).data(SuspectRole).isValid(), isMarked);
        };
        row(0, "now", "no outcome yet", false);
        row(1, "done", "done", false);
        row(2, "refused", "refused: held by 5d0e77c1…:112 by then", false);
        f.window.resize(1'366, 768);
        constexpr int Paddings = 20;
        QTRY_VERIFY(QFontMetrics(f.table->font()).horizontalAdvance(f.cell(2, AuditModel::Outcome)) + Paddings
            <= f.table->columnWidth(AuditModel::Outcome)); // who held it is at its end
        const QString longest = QStringLiteral("renew to 59 m 59 s");
        QVERIFY(QFontMetrics(f.table->font()).horizontalAdvance(longest) + Paddings
            <= f.table->columnWidth(AuditModel::Action));
        row(3, "failed", "failed: there: NOPERM", true);
        row(4, "lost", "not known: the answer was lost", true);
        row(5, "long ago", "interrupted: no outcome recorded", true);
        click(cellOf(*f.table, 5, AuditModel::Lock));
        QVERIFY(f.says(QStringLiteral("It may have been carried out. Look at the lock before you try again.")));
        click(cellOf(*f.table, 0, AuditModel::Lock));
        f.end(now, CommandOutcome{ true, {}, true });
        QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, AuditModel::Outcome), QStringLiteral("done"), Limit);
        QCOMPARE(f.shownLock(), QStringLiteral("now"));
        QTRY_VERIFY(f.says(QStringLiteral("The message that wakes who waits was sent.")));

        click(middleOf(*test::button(*f.page, QStringLiteral("not done"))));
        QCOMPARE(f.rows(), 4);
        click(middleOf(*test::button(*f.page, QStringLiteral("by me"))));
        QCOMPARE(f.rows(), 6);
        click(titleOf(*f.table, AuditModel::Lock));
        QCOMPARE(f.cell(0, AuditModel::Lock), QStringLiteral("done"));
        click(titleOf(*f.table, AuditModel::When));
        QCOMPARE(f.cell(0, AuditModel::Lock), QStringLiteral("now"));
    }

    /// In what is seen of a narrow column, too.
    void saysWhereItWasAndWhyItFailedAtOnce()
    {
        Fixture f;
        const ForceRelease command{ "order", Kind::Reentrant, {}, "r" };
        AuditLog production(f.audit, { "billing", "PROD" });
        const std::string id = production.begin(command, "10.0.0.5:6379", transport::wallNow()).value();
        const auto refused = failure(ErrorCode::ReadOnlyReplica,
            "READONLY You can't write against a read only replica.", "force release on 10.0.0.5:6379/2");
        QVERIFY(production.end(id, refused, transport::wallNow()));
        f.done("other", "r");
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QCOMPARE(f.cell(0, AuditModel::Where), QStringLiteral("10.0.0.5:6379"));
        QCOMPARE(f.cell(1, AuditModel::Where), QStringLiteral("PROD · billing · 10.0.0.5:6379"));
        const auto toneOf = [&](int row) {
            return static_cast<Tone>(f.table->model()->index(row, AuditModel::Where).data(ToneRole).toInt());
        };
        QCOMPARE(toneOf(0), Tone::Muted);
        QCOMPARE(toneOf(1), Tone::Danger);
        QVERIFY2(f.cell(1, AuditModel::Outcome).startsWith(QStringLiteral("failed: READONLY")),
            qPrintable(f.cell(1, AuditModel::Outcome)));
    }

    /// A client by hand looks at nobody: what it is refused tells of no holders, in older logs neither.
    void saysNothingOfHoldersWhereNobodyLooked()
    {
        Fixture f;
        const HandDeed deed{ .action = AuditAction::LockByHand,
            .lock = "mine",
            .kind = Kind::Reentrant,
            .client = { { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" }, {} },
            .ttl = {} };
        f.end(AuditLog(f.audit).begin(deed, "there", transport::wallNow()).value(), CommandOutcome());
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        click(cellOf(*f.table, 0, AuditModel::Lock));
        QTRY_VERIFY(f.says(QStringLiteral("Client by hand")));
        QVERIFY(!f.says(QStringLiteral("Found as holders")));
        QCOMPARE(f.cell(0, AuditModel::Outcome), QStringLiteral("not acquired"));
        const auto &detail = *f.page->findChild<AuditDetail *>();
        QVERIFY(saying<QLabel>(detail, QStringLiteral("not acquired")));
        QVERIFY(!saying<QLabel>(detail, QStringLiteral("refused")));
    }

    /// It was who was expected, and still not the hold or the place in the queue that the person saw.
    void saysWhatHadBegunAnew()
    {
        Fixture f;
        const OwnerId owner{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
        CommandOutcome outcome;
        outcome.isAnew = true;
        outcome.found.emplace_back().owner = owner;
        f.end(f.begin("held", "r"), outcome);
        outcome.waiting.emplace_back().owner = owner;
        f.end(
            AuditLog(f.audit).begin(DropWaiter{ "queue", owner, "r" }, "there", transport::wallNow()).value(), outcome);
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QCOMPARE(f.cell(0, AuditModel::Outcome), QStringLiteral("refused: it had lined up again"));
        QCOMPARE(f.cell(1, AuditModel::Outcome), QStringLiteral("refused: it ended at another time"));
        click(cellOf(*f.table, 0, AuditModel::Lock));
        QVERIFY(f.says(QStringLiteral("It had left the queue since it was looked at, and had lined up again")));
        click(cellOf(*f.table, 1, AuditModel::Lock));
        QVERIFY(f.says(QStringLiteral("but the lock ended at another time")));
        QVERIFY(f.says(QStringLiteral("Would end, as found")) && f.says(QStringLiteral("never")));
        QVERIFY(!f.says(QStringLiteral("not who was expected")));
    }

    void filtersByTheFieldOfTheWindow_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("rows");
        QTest::newRow("name") << QStringLiteral("order") << 2;
        QTest::newRow("reason") << QStringLiteral("POD") << 1;
        QTest::newRow("two words") << QStringLiteral("order pod") << 1;
        QTest::newRow("turned round") << QStringLiteral("-pod") << 2;
        QTest::newRow("quoted") << QStringLiteral("\"pod is gone\"") << 1;
        QTest::newRow("quoted minus") << QStringLiteral("\"-pod\"") << 0;
        QTest::newRow("minus before quotes") << QStringLiteral("-\"pod is\"") << 2;
        QTest::newRow("outcome") << QStringLiteral("refused") << 1;
        QTest::newRow("user") << QString::fromStdString(auditUser()) << 3;
        QTest::newRow("where") << QStringLiteral("10.0.0.5") << 3;
        QTest::newRow("with a colon") << QStringLiteral("order:1") << 1;
        QTest::newRow("key name") << QStringLiteral("name:order") << 2;
        QTest::newRow("key name, of the reason") << QStringLiteral("name:pod") << 0;
        QTest::newRow("key holder") << QStringLiteral("holder:7f21") << 3;
        QTest::newRow("key kind") << QStringLiteral("kind:fair") << 3;
        QTest::newRow("key other kind") << QStringLiteral("-kind:fair") << 0;
        QTest::newRow("of locks alone") << QStringLiteral("ttl:<5s order") << 2;
        QTest::newRow("cannot be read") << QStringLiteral("ttl:x") << 3;
    }

    void filtersByTheFieldOfTheWindow()
    {
        QFETCH(const QString, filter);
        QFETCH(const int, rows);
        Fixture f;
        f.done("order:1", "the pod is gone");
        f.done("order:2", "deploy");
        f.end(f.begin("stock", "stuck"), CommandOutcome{});
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 3, Limit);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, filter.toUtf8().constData());
        QTRY_COMPARE(f.rows(), rows);
        QCOMPARE(f.says(QStringLiteral("is asked of locks as they are now")), filter.contains(QStringLiteral("<5s")));
        if (rows > 0)
            return;
        QVERIFY(f.says(QStringLiteral("Nothing matches the filter")));
        QVERIFY(!f.page->findChild<AuditDetail *>()->isVisible());
        click(middleOf(*test::button(*f.page, QStringLiteral("Show all"))));
        QTRY_COMPARE(f.rows(), 3);
        QVERIFY(f.table->selectionModel()->hasSelection());
    }

    void choosesALockEverywhere()
    {
        take(m_server, QStringLiteral("here"), OwnerA, 60'000);
        take(m_server, QStringLiteral("other"), OwnerB, 60'000);
        Fixture f;
        f.done("here", "r");
        f.done("gone", "r");
        f.open(m_server);
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->status.lastSweep, Limit);
        QAbstractButton *open = test::button(*f.page, QStringLiteral("Show lock"));
        QSignalSpy chosen(f.page, &Page::lockChosen);
        click(cellOf(*f.table, 0, AuditModel::Lock));
        QVERIFY(!open->isEnabled()); // it is gone
        QTest::mouseDClick(f.window.windowHandle(), Qt::LeftButton, {}, cellOf(*f.table, 0, AuditModel::Lock).point);
        QVERIFY(f.page->isVisible());
        click(cellOf(*f.table, 1, AuditModel::Lock));
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(chosen.last().front().value<LockName>(), std::string("here"));
        QTRY_VERIFY_WITH_TIMEOUT(open->isEnabled(), Limit);
        press(f.window, Qt::Key_Return);
        QTRY_VERIFY(!f.page->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(f.chosenLock(), std::string("here"), Limit);
        // And back: what is chosen there is chosen here.
        f.window.selectLock("other");
        QTRY_COMPARE_WITH_TIMEOUT(f.chosenLock(), std::string("other"), Limit);
        press(f.window, Qt::Key_6, Qt::ControlModifier);
        QVERIFY(f.says(QStringLiteral("No action on “other” is recorded here.")));
        QVERIFY(!f.table->selectionModel()->hasSelection());
    }

    /// That nothing was done to a lock is not said of what is only hidden.
    void tellsWhatIsHidden()
    {
        take(m_server, QStringLiteral("here"), OwnerA, 60'000);
        Fixture f;
        f.done("here", "r");
        f.begin("other", "r");
        f.open(m_server);
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        click(middleOf(*test::button(*f.page, QStringLiteral("not done"))));
        QTRY_COMPARE(f.rows(), 1);
        f.window.selectLock("here");
        QTRY_COMPARE_WITH_TIMEOUT(f.chosenLock(), std::string("here"), Limit);
        press(f.window, Qt::Key_6, Qt::ControlModifier);
        QVERIFY(f.says(QStringLiteral("What was done to “here” is hidden")));
    }

    /// What a person chose stays in the detail while the filter hides it: Enter means no other row.
    void opensTheLockThatItTellsOf()
    {
        take(m_server, QStringLiteral("here"), OwnerA, 60'000);
        take(m_server, QStringLiteral("other"), OwnerB, 60'000);
        Fixture f;
        f.done("other", "r");
        f.done("here", "r");
        f.open(m_server);
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->locks.find("other"), Limit);
        QSignalSpy opened(f.page, &Page::lockOpened);
        click(cellOf(*f.table, 0, AuditModel::Lock)); // here
        f.page->setFilter({}, QStringLiteral("other"));
        QCOMPARE(f.rows(), 1);
        f.table->setFocus();
        press(f.window, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front().front().value<LockName>(), std::string("here"));
    }

    void exportsWhatIsShownByMouse()
    {
        Fixture f;
        f.done("=cmd|x", "a|b\n# c");
        f.done("other", "deploy");
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "cmd");
        QTRY_COMPARE(f.rows(), 1);
        for (const char *format : { "CSV", "JSON", "Markdown" }) {
            exportByMouse(f, QString::fromLatin1(format));
            QTRY_VERIFY(QFile::exists(fileFor(f, format)));
        }
        QVERIFY(saying<QAbstractButton>(*f.page, QStringLiteral("Export")));
        const QByteArray csv = contentOf(fileFor(f, "CSV"));
        QCOMPARE(csv.count('\n'), 2);
        QVERIFY2(csv.contains("\"'=cmd|x\""), csv.constData());
        QVERIFY2(csv.contains("\"a|b\\x0a# c\""), csv.constData());
        const QByteArray markdown = contentOf(fileFor(f, "Markdown"));
        QCOMPARE(markdown.count("\n|"), 3);
        QVERIFY2(markdown.contains("- Filter: cmd\n"), markdown.constData());
        QVERIFY2(markdown.contains("a\\|b"), markdown.constData());
        const QJsonObject object = QJsonDocument::fromJson(contentOf(fileFor(f, "JSON")))[u"rows"][0].toObject();
        QCOMPARE(object[u"lock"].toString(), QStringLiteral("=cmd|x"));
        QCOMPARE(object[u"reason"].toString(), QStringLiteral("a|b\n# c"));
        QCOMPARE(object[u"outcome"].toString(), QStringLiteral("done"));
        QVERIFY(saying<ElidedLabel>(*f.page, QStringLiteral("written to ")));
    }

    void exportsByKeyboardAndSaysWhyItCannot()
    {
        Fixture f;
        f.done("a", "r");
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        auto *button = f.page->findChild<ExportButton *>();
        QVERIFY(button->isEnabled());
        for (int stops = 0; !button->hasFocus() && stops < 40; ++stops)
            press(f.window, Qt::Key_Tab);
        QVERIFY(button->hasFocus());
        const QString nowhere = f.folder.filePath(QStringLiteral("kept.csv"));
        QVERIFY(QDir().mkpath(nowhere)); // a folder is no file
        onceOpen(*button->menu(), [button] { QTest::keyClick(button->menu(), Qt::Key_C); });
        press(f.window, Qt::Key_Space);
        QFileDialog *dialog = dialogOf(f);
        QVERIFY(dialog);
        dialog->fileSelected(nowhere);
        auto *notice = f.window.findChild<NoticeDialog *>();
        QVERIFY(notice && saying<QLabel>(*notice, QStringLiteral("Nothing was exported.")));
        QVERIFY(saying<QLabel>(*notice, nowhere));
        notice->reject();
        auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        name->setText(f.folder.filePath(QStringLiteral("typed")));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY(QFile::exists(f.folder.filePath(QStringLiteral("typed.csv"))));
        QVERIFY(contentOf(f.folder.filePath(QStringLiteral("typed.csv"))).contains("\"a\""));
    }

    void copiesByMenuAndByKey()
    {
        Fixture f;
        f.done("one", "r");
        f.done("two", "r");
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        auto &table = *named<DataTable>(*f.page, QStringLiteral("Actions on locks"));
        const QString lock = f.cell(1, AuditModel::Lock);
        click(test::cellOf(table, 1, AuditModel::Lock));
        press(f.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), lock);
        click(test::cellOf(table, 0, AuditModel::Lock), Qt::RightButton);
        QMenu *menu = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())) != nullptr, Limit);
        QVERIFY(QTest::qWaitForWindowExposed(menu));
        choose(*menu, QStringLiteral("Copy the name"));
        QCOMPARE(QGuiApplication::clipboard()->text(), f.cell(0, AuditModel::Lock));
    }

    void copiesTheRecordAsItStands()
    {
        Fixture f;
        f.done("a\\b", "r");
        f.show();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        click(middleOf(*test::button(*f.page, QStringLiteral("Copy record"))));
        QCOMPARE(QGuiApplication::clipboard()->text().toUtf8() + '\n', contentOf(f.audit));
    }

    /// What came after the moment of a recording had not been done then.
    void showsTheMomentOfARecording()
    {
        Fixture f;
        const QString file = f.folder.filePath(QStringLiteral("moment.lockrec"));
        f.open(m_server);
        f.show();
        f.monitor.recorder().start(file);
        const auto recorded = [&] { return f.monitor.recorder().state(); };
        QTRY_VERIFY_WITH_TIMEOUT(recorded() && recorded()->progress.elapsed >= Millis(1'500), Limit);
        f.monitor.recorder().stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->reject();
        f.window.activateWindow(); // as a window manager does
        QTRY_VERIFY(f.window.isActiveWindow());
        const WallTime now = transport::wallNow();
        const Millis anHour{ 3'600'000 };
        f.end(f.begin("before", "r", now - anHour), CommandOutcome{ true, {}, true }, now - anHour);
        f.end(f.begin("under way", "r", now - Millis(8'000)), CommandOutcome{ true, {}, true }, now + anHour);
        f.end(f.begin("later", "r", now + anHour), CommandOutcome{ true, {}, true }, now + anHour);
        f.done("lately", "r");
        f.end(f.begin("much later", "r", now + anHour), CommandOutcome{ true, {}, true }, now + anHour);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 5, Limit);
        QVERIFY(f.figureSays("5 actions · "));
        f.window.openRecording(file);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QCOMPARE(f.cell(0, AuditModel::Lock), QStringLiteral("under way"));
        QCOMPARE(f.cell(0, AuditModel::Outcome), QStringLiteral("no outcome yet"));
        QCOMPARE(f.cell(1, AuditModel::Outcome), QStringLiteral("done"));
        QVERIFY(f.figureSays("2 actions by "));
        QVERIFY(f.figureSays("3 later ones left out"));
        QCOMPARE(f.shownLock(), QStringLiteral("under way"));
        QTRY_VERIFY(f.says(QStringLiteral("not finished at this moment")));
        click(middleOf(*test::button(*f.page, QStringLiteral("Copy record"))));
        const QString record = QGuiApplication::clipboard()->text();
        QVERIFY2(record.contains(QStringLiteral("under way")) && record.count(u'\n') == 0, qPrintable(record));
        exportByMouse(f, QStringLiteral("JSON"));
        QTRY_VERIFY(QFile::exists(fileFor(f, "JSON")));
        const QJsonDocument json = QJsonDocument::fromJson(contentOf(fileFor(f, "JSON")));
        QCOMPARE(json[u"rows"].toArray().size(), 2);
        QCOMPARE(json[u"rows"][0][u"outcome"].toString(), QStringLiteral("no outcome yet"));
        QVERIFY(json[u"rows"][0][u"endedAt"].isNull());
        QVERIFY(json[u"exported"][u"state"].toString().contains(QStringLiteral("recording")));
        QVERIFY(json[u"exported"][u"at"].toString().endsWith(u'Z'));
        f.window.closeConnection();
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 5, Limit); // what is known now
        QTRY_COMPARE(f.cell(3, AuditModel::Outcome), QStringLiteral("done"));
    }

    /// In a time in which no server was seen, too.
    void showsTheMomentOfAGapInARecording()
    {
        Fixture f;
        const QString file = f.folder.filePath(QStringLiteral("gap.lockrec"));
        f.open(m_server);
        f.show();
        const auto record = [&] {
            f.monitor.recorder().start(file);
            const auto recorded = [&] { return f.monitor.recorder().state(); };
            QTRY_VERIFY_WITH_TIMEOUT(recorded() && recorded()->progress.elapsed >= Millis(1'500), Limit);
            f.monitor.recorder().stop();
        };
        record();
        const WallTime ended = transport::wallNow();
        const auto hasPassed = [&](Millis time) { return transport::wallNow() - ended > time; };
        QTRY_VERIFY_WITH_TIMEOUT(hasPassed(Millis(500)), Limit);
        f.done("in the gap", "r");
        QTRY_VERIFY_WITH_TIMEOUT(hasPassed(Millis(1'500)), Limit);
        record();
        f.done("later", "r");
        f.window.openRecording(file);
        const auto &replay = f.monitor.replay();
        QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview, Limit);
        QCOMPARE(replay.state()->overview->gaps.size(), std::size_t(1));
        f.monitor.replay().seek(ended + Millis(1'200));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QCOMPARE(f.cell(0, AuditModel::Lock), QStringLiteral("in the gap"));
        QVERIFY(f.figureSays("1 later one"));
        f.monitor.replay().seek(ended + Millis(100));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 0, Limit);
    }

    void tellsWhatEndedAsTheMomentPasses()
    {
        const auto entry = [](std::size_t number, WallTime begun, WallTime ended) {
            auto made = std::make_shared<AuditEntry>();
            made->number = number;
            made->begunAt = begun;
            made->outcome.emplace();
            made->outcome->at = ended;
            made->outcome->end = nameOf(AuditEnd::Done);
            return made;
        };
        const auto at = [](int second) { return WallTime(std::chrono::seconds(second)); };
        AuditModel model;
        AuditProxy proxy(model);
        new QAbstractItemModelTester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal, &proxy);
        model.showMoment(at(99));
        AuditReport report;
        report.news.begun = { entry(0, at(100), at(110)), entry(1, at(105), at(106)) };
        model.take(report);
        QCOMPARE(proxy.rowCount(), 0);
        const auto outcomes = [&] {
            QStringList shown;
            for (int row = 0; row < proxy.rowCount(); ++row)
                shown << proxy.index(row, AuditModel::Outcome).data().toString();
            return shown;
        };
        proxy.sort(AuditModel::When, Qt::AscendingOrder);
        model.showMoment(at(104));
        QCOMPARE(outcomes(), QStringList{ QStringLiteral("no outcome yet") });
        model.showMoment(at(107));
        QCOMPARE(outcomes(), (QStringList{ QStringLiteral("no outcome yet"), QStringLiteral("done") }));
        model.showMoment(at(110));
        QCOMPARE(outcomes(), (QStringList{ QStringLiteral("done"), QStringLiteral("done") }));
        model.showMoment(at(104)); // back
        QCOMPARE(outcomes(), QStringList{ QStringLiteral("no outcome yet") });
        model.showMoment(std::nullopt);
        QCOMPARE(outcomes(), (QStringList{ QStringLiteral("done"), QStringLiteral("done") }));
    }

private:
    static QString fileFor(const Fixture &f, const char *format)
    {
        return f.folder.filePath(QStringLiteral("out-") + QString::fromLatin1(format));
    }

    static void exportByMouse(Fixture &f, const QString &format)
    {
        auto *button = f.page->findChild<ExportButton *>();
        onceOpen(*button->menu(), [button, format] { choose(*button->menu(), format + QChar(0x2026)); });
        click(middleOf(*button));
        QFileDialog *dialog = dialogOf(f);
        QVERIFY(dialog);
        QVERIFY(dialog->testOption(QFileDialog::DontUseNativeDialog));
        dialog->setDefaultSuffix(QString());
        auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        name->setText(fileFor(f, qPrintable(format)));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY(!f.window.findChild<QFileDialog *>());
    }

    RedisServer m_server;
};

QTEST_MAIN(AuditPageTest)
#include "tst_audit_page.moc"
