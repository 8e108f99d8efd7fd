// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/test_window.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/break_deadlock_dialog.h"
#include "ui/dialogs/bulk_release_dialog.h"
#include "ui/dialogs/client_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/help_window.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/return_permit_dialog.h"
#include "ui/dialogs/scenario_dialogs.h"
#include "ui/dialogs/who_is_that_dialog.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTest>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;

namespace {

/// Alt with a letter that stands for more than one of what is to be seen at once.
class Keys {
public:
    void take(const QString &text)
    {
        const QString key = QKeySequence::mnemonic(text).toString();
        if (key.isEmpty())
            return;
        if (m_taken.contains(key))
            m_twice << key + QStringLiteral(": ") + m_taken[key] + QStringLiteral(", ") + text;
        m_taken[key] = text;
    }
    const QStringList &twice() const { return m_twice; }

private:
    QHash<QString, QString> m_taken;
    QStringList m_twice;
};

QStringList doubleKeys(const QWidget &window)
{
    Keys keys;
    const auto take = [&](const QWidget *widget, const QString &text) {
        if (widget->isVisible() && widget->window() == &window)
            keys.take(text);
    };
    for (const auto *each : window.findChildren<QAbstractButton *>())
        take(each, each->text());
    for (const auto *each : window.findChildren<QGroupBox *>())
        take(each, each->title());
    for (const auto *each : window.findChildren<QLabel *>())
        take(each, each->buddy() != nullptr ? each->text() : QString());
    for (const auto *bar : window.findChildren<QTabBar *>())
        for (int tab = 0; tab < bar->count(); ++tab)
            take(bar, bar->tabText(tab));
    return keys.twice();
}

/// What is filled in or ticked, and has no key that leads there.
QStringList fieldsWithoutKey(const QDialog &dialog)
{
    QSet<const QWidget *> led;
    for (const auto *each : dialog.findChildren<QLabel *>())
        if (each->isVisible() && each->buddy() && !QKeySequence::mnemonic(each->text()).isEmpty())
            led << each->buddy();
    QStringList without;
    const auto look = [&](const QWidget *field) {
        if (field->isVisible() && field->window() == &dialog && field->focusPolicy() & Qt::TabFocus
            && !led.contains(field) && !led.contains(field->parentWidget()))
            without << field->accessibleName();
    };
    for (const auto *each : dialog.findChildren<QLineEdit *>())
        look(each);
    for (const auto *each : dialog.findChildren<QComboBox *>())
        look(each);
    for (const auto *each : dialog.findChildren<QCheckBox *>())
        if (each->isVisible() && QKeySequence::mnemonic(each->text()).isEmpty())
            without << each->text();
    return without;
}

QStringList doubleKeys(QMenu &menu)
{
    Q_EMIT menu.aboutToShow();
    Keys keys;
    for (const QAction *action : menu.actions())
        if (action->isVisible())
            keys.take(action->text());
    return keys.twice();
}

const OwnerId Owner{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId Other{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "112" };

std::shared_ptr<LockState> lockOf(const OwnerId &holder)
{
    auto lock = makeLock("job", ViewClock::steadyNow());
    lock->holders.front().owner = holder;
    Waiter waiter;
    waiter.owner = Other;
    lock->waiters.push_back(waiter);
    return lock;
}

} // namespace

class MnemonicsTest : public QObject {
    Q_OBJECT

    template <typename Dialog>
    void look(Dialog &dialog)
    {
        m_looked << QString::fromLatin1(Dialog::staticMetaObject.className()).section(QStringLiteral("::"), -1);
        dialog.show();
        QVERIFY(dialog.isVisible());
        QVERIFY2(doubleKeys(dialog).isEmpty(),
            qPrintable(m_looked.last() + QStringLiteral(": ") + doubleKeys(dialog).join(u'\n')));
        if (std::is_base_of_v<GuardedDialog, Dialog>) // the others but that of the connection ask for one thing at most
            QCOMPARE(fieldsWithoutKey(dialog), QStringList());
    }
    /// As it asks, and as it tells that another holds it by now.
    void lookBeforeAndAfterAChange(GuardedDialog &dialog, const QString &name)
    {
        look(dialog);
        dialog.setCurrent(lockOf(Other));
        look(dialog);
        m_looked << name;
    }

    QStringList m_looked;

private Q_SLOTS:
    void pagesAndTheirMenusHaveEachKeyOnce()
    {
        TestWindow w;
        w.connectToNobody();
        w.showAt({ 1'440, 900 });
        w.window.showSnapshot(sampleSnapshot(currentNow()));
        for (const char *page : { "locks", "timeline", "graph", "dashboard", "events", "audit", "lab" }) {
            w.window.showPage(QString::fromLatin1(page));
            for (auto *tabs : w.window.findChildren<QTabBar *>())
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QVERIFY2(doubleKeys(w.window).isEmpty(),
                        qPrintable(QString::fromLatin1(page) + u' ' + doubleKeys(w.window).join(u'\n')));
                }
        }
        const auto menus = w.window.findChildren<QMenu *>();
        QVERIFY(menus.size() > 3);
        for (QMenu *menu : menus)
            QVERIFY2(doubleKeys(*menu).isEmpty(), qPrintable(doubleKeys(*menu).join(u'\n')));
    }

    void dialogsOfActionsHaveEachKeyOnce()
    {
        TestWindow w;
        ClientNames names(w.settings);
        ViewClock clock;
        ConnectionProfile profile;
        for (const char *environment : { "", "PRODUCTION" }) { // there more is asked
            profile.environment = QString::fromLatin1(environment);
            const ActionPlace place{ profile, names, clock };
            ForceReleaseDialog release(lockOf(Owner), place);
            lookBeforeAndAfterAChange(release, QStringLiteral("ForceReleaseDialog"));
            SetTtlDialog ttl(lockOf(Owner), place);
            lookBeforeAndAfterAChange(ttl, QStringLiteral("SetTtlDialog"));
            DropWaiterDialog drop(lockOf(Owner), Other, place);
            lookBeforeAndAfterAChange(drop, QStringLiteral("DropWaiterDialog"));
            ReturnPermitDialog permit(lockOf(Owner), {}, place);
            lookBeforeAndAfterAChange(permit, QStringLiteral("ReturnPermitDialog"));
            BulkReleaseDialog bulk(BulkChoice{ { lockOf(Owner) }, Owner.client }, place);
            look(bulk);
            bulk.findChild<QCheckBox *>()->setVisible(true); // where the client looks alive
            look(bulk);
        }
    }

    void otherDialogsHaveEachKeyOnce()
    {
        TestWindow w;
        ClientNames names(w.settings);
        ViewClock clock;
        ClientDialog client(Owner.client, names, clock);
        client.setSnapshot(makeSnapshot(currentNow(), { lockOf(Owner) }));
        look(client);
        WhoIsThatDialog who({}, Owner.client, names);
        look(who);
        BreakDeadlockDialog deadlock({ { Owner, "x", Other }, { Other, "y", Owner } }, names, clock);
        look(deadlock);
        WritableDialog writable({});
        look(writable);
        ContentionDialog contention(QStringLiteral("orders-db"), true);
        look(contention);
        WatchPlayDialog play(QStringLiteral("orders-db"));
        look(play);
        ShowRecordingDialog recording(QStringLiteral("orders-db"));
        look(recording);
        HelpWindow help(w.theme);
        look(help);
        const lab::OwnScenarios store;
        ScenarioNameDialog name(store, { QStringLiteral("A new scenario"), QStringLiteral("Make it") }, "a", nullptr);
        look(static_cast<QDialog &>(name));
        m_looked << QStringLiteral("ScenarioNameDialog");
    }

    void theConnectionDialogHasEachKeyOnce()
    {
        ConnectionDialog dialog({});
        look(dialog);
        for (auto *tls : dialog.findChildren<QCheckBox *>())
            tls->setChecked(true); // shows what belongs to it
        auto &topology = *named<QComboBox>(dialog, QStringLiteral("Topology"));
        QVERIFY(topology.count() > 3);
        for (int i = 0; i < topology.count(); ++i) {
            topology.setCurrentIndex(i);
            Q_EMIT topology.activated(i); // as a person chooses it
            QCOMPARE(doubleKeys(dialog), QStringList());
            // There are no letters left for these two, which stand beside each other below the servers.
            const QStringList ofSentinels{ QStringLiteral("Sentinels: user"), QStringLiteral("their password") };
            const bool hasSentinels = topology.itemText(i) == QStringLiteral("Sentinel");
            QCOMPARE(fieldsWithoutKey(dialog), hasSentinels ? ofSentinels : QStringList());
        }
    }

    /// What they say comes from where they are opened.
    void noDialogWasForgotten()
    {
        m_looked << QStringLiteral("NoticeDialog") << QStringLiteral("PermissionDialog")
                 << QStringLiteral("GuardedDialog") << QStringLiteral("QuestionDialog");
        const QDir folder(QFINDTESTDATA("../../ui/dialogs"));
        int found = 0;
        for (const QString &file : folder.entryList({ QStringLiteral("*.h") })) {
            QFile header(folder.filePath(file));
            QVERIFY(header.open(QIODevice::ReadOnly));
            static const QRegularExpression dialog(QStringLiteral("class (\\w+) : public \\w*Dialog\\b"));
            for (const auto &match : dialog.globalMatch(QString::fromUtf8(header.readAll()))) {
                ++found;
                QVERIFY2(m_looked.contains(match.captured(1)), qPrintable(match.captured(1)));
            }
        }
        QVERIFY(found > 10);
    }
};

QTEST_MAIN(MnemonicsTest)
#include "tst_mnemonics.moc"
