// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/actions/audit_log.h"
#include "lockcore/transport/clock.h"
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/test_names.h"
#include "tests/gui/test_window.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/who_is_that_dialog.h"
#include "ui/support/freshness.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;

namespace {

const std::string Hostile = "<img src=x><b>boo</b>";

bool isInterpreted(const QString &text) { return Qt::mightBeRichText(text) && text.contains(QStringLiteral("<img")); }

/// Where a text from strangers would be taken for rich text, among all widgets there are.
QStringList interpretedTexts()
{
    QStringList found;
    for (const QWidget *widget : QApplication::allWidgets()) {
        const QString where = QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ');
        if (isInterpreted(widget->toolTip()) || isInterpreted(widget->whatsThis()))
            found << where + QStringLiteral("tool tip: ") + widget->toolTip();
        const auto *label = qobject_cast<const QLabel *>(widget);
        if (label && label->textFormat() != Qt::PlainText && isInterpreted(label->text()))
            found << where + QStringLiteral("label: ") + label->text();
        for (const QAction *action : widget->actions()) {
            if (isInterpreted(action->toolTip()) && !qobject_cast<const QMenu *>(widget))
                found << where + QStringLiteral("action: ") + action->toolTip();
        }
        const auto *view = qobject_cast<const QAbstractItemView *>(widget);
        for (int row = 0; view && view->model() && row < view->model()->rowCount(); ++row) {
            for (int column = 0; column < view->model()->columnCount(); ++column) {
                const auto tip = view->model()->index(row, column).data(Qt::ToolTipRole).toString();
                if (isInterpreted(tip))
                    found << where + QStringLiteral("cell: ") + tip;
            }
        }
    }
    return found;
}

std::shared_ptr<LockState> hostileLock(Now now)
{
    auto lock = makeLock(Hostile, now.mono);
    lock->kind = Kind::Fair;
    lock->node = Hostile;
    lock->holders.front().owner = { Hostile, Hostile };
    Waiter waiter;
    waiter.owner = { Hostile + "2", Hostile };
    lock->waiters.push_back(waiter);
    lock->hasMainKey = true;
    lock->otherKeys = { "redisson_lock_queue:{" + Hostile + "}", Hostile + ":more" };
    return lock;
}

/// As a server or a recording may have it.
std::shared_ptr<Snapshot> hostileSnapshot(SourcePhase phase)
{
    const Now now = currentNow();
    auto snapshot = makeSnapshot(now, { hostileLock(now) });
    auto &status = snapshot->status;
    status.phase = phase;
    status.server = status.serverVersion = status.feedReason.partOfCluster = status.aclLine = Hostile;
    status.feedReason.scope = { FeedScope::Extent::Prefixes, { Hostile } };
    status.feedReason.detours = { { FeedObstacle::TrackingFails, Hostile } };
    status.missingRights = { { Right::Scan, Hostile, { Hostile } } };
    status.error = Error{ ErrorCode::ServerOther, Hostile, Hostile };
    if (phase == SourcePhase::Stale)
        status.staleSince = now.mono;
    for (int i = 0; i < 2; ++i) {
        NodeStatus node;
        node.node = Hostile + std::to_string(i);
        node.status = status;
        snapshot->nodes.push_back(node);
    }
    return snapshot;
}

} // namespace

/// Names, owners and the words of servers come from strangers: nowhere are they taken for rich text.
class HostileTextTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isShownAsItIsInEveryView()
    {
        TestWindow f;
        ConnectionProfile profile;
        profile.name = QString::fromStdString(Hostile);
        profile.environment = QString::fromStdString(Hostile);
        profile.deployment.seeds.front().socketPath = f.folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        f.window.openConnection(profile);
        QObject::disconnect(&f.monitor, nullptr, &f.window, nullptr);
        f.window.show();
        for (const auto phase : { SourcePhase::Live, SourcePhase::Stale, SourcePhase::Failed }) {
            f.window.showSnapshot(hostileSnapshot(phase));
            f.window.selectLock(Hostile);
            QCoreApplication::processEvents();
            QCOMPARE(interpretedTexts(), QStringList());
        }
        service::AuditLog log(f.audit);
        const ForceRelease command{ Hostile, Kind::ReadWrite, { { { Hostile, Hostile }, HoldMode::Read } }, Hostile };
        const auto id = log.begin(command, Hostile, transport::wallNow());
        QVERIFY(log.end(*id, failure(ErrorCode::ServerOther, Hostile, Hostile), transport::wallNow()));
        QVERIFY(f.window.showPage(QStringLiteral("audit")));
        const auto *actions = named<QAbstractItemView>(f.window, QStringLiteral("Actions on locks"));
        QTRY_COMPARE(actions->model()->rowCount(), 1);
        QCOMPARE(interpretedTexts(), QStringList());
        f.window.showSnapshot(hostileSnapshot(SourcePhase::Live));
        f.window.selectLock(Hostile);
        for (QToolButton *button : f.window.findChildren<QToolButton *>()) {
            if (button->text().contains(QStringLiteral("missing")))
                button->click();
        }
        const auto owner = f.page().selectedLock()->holders.front().owner;
        Q_EMIT f.page().clientNamingRequested(owner);
        Q_EMIT f.page().clientSearchRequested(owner);
        QCoreApplication::processEvents();
        QVERIFY(QApplication::topLevelWidgets().size() >= 4);
        QCOMPARE(interpretedTexts(), QStringList());
    }

    void isShownAsItIsInEveryDialog()
    {
        TestNames kept;
        ViewClock clock;
        ConnectionProfile profile;
        profile.name = profile.environment = QString::fromStdString(Hostile);
        profile.deployment.seeds.front().host = Hostile;
        const ActionPlace place{ profile, kept.names, clock };
        const auto lock = hostileLock(currentNow());
        ForceReleaseDialog release(lock, place);
        DropWaiterDialog drop(lock, lock->waiters[0].owner, place);
        SetTtlDialog ttl(lock, place);
        WritableDialog writable(profile);
        ConnectionDialog connection({ profile });
        connection.setProfile(profile);
        WhoIsThatDialog who({}, Hostile, kept.names);
        for (QDialog *dialog : std::initializer_list<QDialog *>{ &release, &drop, &ttl, &writable, &connection, &who })
            dialog->show();
        QCoreApplication::processEvents();
        QCOMPARE(interpretedTexts(), QStringList());
        CommandOutcome changed;
        changed.found.emplace_back().owner = { Hostile, "1" };
        release.setOutcome(changed);
        ttl.setOutcome(tl::unexpected(Error{ ErrorCode::ServerOther, Hostile, Hostile }));
        QCOMPARE(interpretedTexts(), QStringList());
    }
};

QTEST_MAIN(HostileTextTest)
#include "tst_hostile_text.moc"
