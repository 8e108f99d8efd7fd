// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/manual_clients.h"
#include "tests/gui/find_widget.h"
#include "tests/support/redis_server.h"
#include "ui/views/manual_clients_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace lockui;
using namespace lockui::test;
using testsupport::RedisServer;

namespace {

constexpr int Limit = 15'000;

void type(QLineEdit *edit, const QString &text)
{
    edit->selectAll();
    QTest::keyClicks(edit, text);
}

/// The panel of two clients on an empty server.
struct Panel {
    Panel()
        : panel(clients)
    {
        server.start();
        clients.open(server.socketEndpoint(), { "A", "B" });
    }
    ~Panel() { clients.close(); }

    QAbstractButton *button(const QString &text) const { return test::button(panel, text); }
    QComboBox *choice(const QString &name) const { return named<QComboBox>(panel, name); }
    QLineEdit *lockName() const { return named<QLineEdit>(panel, QStringLiteral("Lock")); }
    QTableWidget *table() const { return panel.findChild<QTableWidget *>(); }
    QString cell(int row, int column) const
    {
        const QTableWidgetItem *item = table()->item(row, column);
        return item ? item->text() : QString();
    }
    QString log() const { return panel.findChild<QPlainTextEdit *>()->toPlainText(); }
    QString enabled() const
    {
        QStringList names;
        for (const QPushButton *candidate : panel.findChildren<QPushButton *>()) {
            if (candidate->isEnabled())
                names << candidate->text();
        }
        return names.join(QLatin1Char(' '));
    }

    RedisServer server;
    ManualClients clients;
    ManualClientsPanel panel;
};

const QString OnlyTake = QStringLiteral("Take");
const QString AllButTake = QStringLiteral("Re-enter Renew Release");

} // namespace

class TestManualClientsPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void offersWhatTheClientCanDo();
    void secondClientWaitsAndIsToldWhy();
    void threadAndKindAreDifferentHolds();
    void fixedLeaseIsTheOneEntered();
    void nameThatIsNoTextIsKeptExactly();
    void rowFillsTheFields();
    void takesTheSelectedLockAsWhatItIs();
    void withoutClientsNothingIsOffered();
};

void TestManualClientsPanel::initTestCase() { NEED_REDIS_SERVER(); }

void TestManualClientsPanel::offersWhatTheClientCanDo()
{
    Panel strip;
    QCOMPARE(strip.enabled(), QString()); // no name, no client
    QTest::keyClicks(strip.lockName(), QStringLiteral("order:1 ")); // as it may be pasted
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);

    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), AllButTake, Limit);
    QCOMPARE(strip.server.cli({ QStringLiteral("HVALS"), QStringLiteral("order:1") }), QByteArray("1"));
    strip.button(QStringLiteral("Re-enter"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.cell(0, 4), QStringLiteral("holds ×2"), Limit);
    QCOMPARE(strip.server.cli({ QStringLiteral("HVALS"), QStringLiteral("order:1") }), QByteArray("2"));

    strip.button(QStringLiteral("Release"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.cell(0, 4), QStringLiteral("holds ×1"), Limit);
    strip.button(QStringLiteral("Release"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    QCOMPARE(strip.table()->rowCount(), 0);
    QCOMPARE(strip.server.cli({ QStringLiteral("EXISTS"), QStringLiteral("order:1") }), QByteArray("0"));
}

void TestManualClientsPanel::secondClientWaitsAndIsToldWhy()
{
    Panel strip;
    strip.panel.setLockName("order:1");
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), AllButTake, Limit);

    strip.choice(QStringLiteral("Client"))->setCurrentIndex(1);
    QCOMPARE(strip.enabled(), OnlyTake);
    strip.choice(QStringLiteral("Wait"))->setCurrentIndex(0);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(strip.log().contains(QStringLiteral("B:1 take order:1 – not acquired")), Limit);

    strip.choice(QStringLiteral("Wait"))->setCurrentIndex(2);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.cell(1, 4), QStringLiteral("waits"), Limit);
    QCOMPARE(strip.enabled(), QStringLiteral("Cancel")); // one wait is enough
    strip.button(QStringLiteral("Cancel"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    QVERIFY(strip.log().contains(QStringLiteral("✗ B:1 take order:1")));
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), QStringLiteral("Cancel"), Limit);
    strip.choice(QStringLiteral("Client"))->setCurrentIndex(0);
    strip.button(QStringLiteral("Release"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(strip.log().contains(QStringLiteral("B:1 take order:1 – acquired")), Limit);
}

void TestManualClientsPanel::threadAndKindAreDifferentHolds()
{
    Panel strip;
    strip.panel.setLockName("order:1");
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    strip.choice(QStringLiteral("Kind"))->setCurrentIndex(2);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), AllButTake, Limit);
    QCOMPARE(strip.server.cli({ QStringLiteral("HGET"), QStringLiteral("order:1"), QStringLiteral("mode") }),
        QByteArray("read"));

    auto *thread = named<QSpinBox>(strip.panel, QStringLiteral("Thread"));
    thread->setValue(2);
    QCOMPARE(strip.enabled(), OnlyTake);
    thread->setValue(1);
    QCOMPARE(strip.enabled(), AllButTake);
    strip.choice(QStringLiteral("Kind"))->setCurrentIndex(3);
    QCOMPARE(strip.enabled(), OnlyTake);
}

void TestManualClientsPanel::fixedLeaseIsTheOneEntered()
{
    Panel strip;
    strip.panel.setLockName("order:1");
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    strip.choice(QStringLiteral("Lease"))->setCurrentIndex(1);
    named<QSpinBox>(strip.panel, QStringLiteral("Length of the lease"))->setValue(500);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), AllButTake, Limit);
    const int left = strip.server.cli({ QStringLiteral("PTTL"), QStringLiteral("order:1") }).toInt();
    QVERIFY2(left > 400'000 && left <= 500'000, qPrintable(QString::number(left)));
}

void TestManualClientsPanel::nameThatIsNoTextIsKeptExactly()
{
    Panel strip;
    strip.panel.setLockName("a\n\xff");
    QCOMPARE(strip.lockName()->text(), QStringLiteral("a\\x0a\\xff"));
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), AllButTake, Limit);
    QCOMPARE(strip.server.cli({ QStringLiteral("EVAL"),
                 QStringLiteral("return redis.call('EXISTS', 'a' .. string.char(10, 255))"), QStringLiteral("0") }),
        QByteArray("1"));
    QTest::keyClicks(strip.lockName(), QStringLiteral("x")); // edited: now it is what it says
    QCOMPARE(strip.enabled(), OnlyTake);
}

void TestManualClientsPanel::rowFillsTheFields()
{
    Panel strip;
    strip.panel.setLockName("order:1");
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    strip.choice(QStringLiteral("Client"))->setCurrentIndex(1);
    strip.choice(QStringLiteral("Kind"))->setCurrentIndex(1);
    strip.button(QStringLiteral("Take"))->click();
    QTRY_COMPARE_WITH_TIMEOUT(strip.table()->rowCount(), 1, Limit);
    QTRY_COMPARE_WITH_TIMEOUT(strip.cell(0, 4), QStringLiteral("holds ×1"), Limit);

    strip.choice(QStringLiteral("Client"))->setCurrentIndex(0);
    strip.choice(QStringLiteral("Kind"))->setCurrentIndex(0);
    strip.panel.setLockName("other");
    Q_EMIT strip.table()->cellActivated(0, 0);
    QCOMPARE(strip.lockName()->text(), QStringLiteral("order:1"));
    QCOMPARE(strip.choice(QStringLiteral("Client"))->currentIndex(), 1);
    QCOMPARE(strip.choice(QStringLiteral("Kind"))->currentIndex(), 1);
    QCOMPARE(strip.enabled(), AllButTake);
}

void TestManualClientsPanel::takesTheSelectedLockAsWhatItIs()
{
    Panel strip;
    strip.panel.show();
    LockState fair;
    fair.name = "report";
    fair.kind = Kind::Fair;
    strip.panel.setLock(fair);
    QCOMPARE(strip.lockName()->text(), QStringLiteral("report"));
    QComboBox *kind = strip.choice(QStringLiteral("Kind"));
    QCOMPARE(kind->currentText(), QStringLiteral("Fair"));
    const QString warning = QStringLiteral("One name must not be used for two kinds");
    QVERIFY(!saying<QLabel>(strip.panel, warning));
    kind->setCurrentText(QStringLiteral("Reentrant"));
    QVERIFY(saying<QLabel>(strip.panel, warning));
    kind->setCurrentText(QStringLiteral("Fair"));
    LockState plain;
    plain.name = "plain";
    plain.kind = Kind::Reentrant;
    strip.panel.setLock(plain); // what was chosen was for another lock
    QCOMPARE(kind->currentText(), QStringLiteral("Reentrant"));
    kind->setCurrentText(QStringLiteral("Fair")); // a fair one that nobody waits for looks the same
    strip.panel.setLock(plain);
    QCOMPARE(kind->currentText(), QStringLiteral("Fair"));
    LockState fenced;
    fenced.name = "orders";
    fenced.kind = Kind::Fenced; // which a manual client does not take
    strip.panel.setLock(fenced);
    QVERIFY(saying<QLabel>(strip.panel, warning));
    type(strip.lockName(), QStringLiteral("another"));
    QVERIFY(!saying<QLabel>(strip.panel, warning));
    LockState shared;
    shared.name = "catalogue";
    shared.kind = Kind::ReadWrite;
    strip.panel.setLock(shared);
    QCOMPARE(kind->currentText(), QStringLiteral("Read lock"));
    kind->setCurrentText(QStringLiteral("Write lock"));
    QVERIFY(!saying<QLabel>(strip.panel, warning));
}

void TestManualClientsPanel::withoutClientsNothingIsOffered()
{
    Panel strip;
    strip.panel.setLockName("order:1");
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), OnlyTake, Limit);
    strip.clients.close();
    QTRY_COMPARE_WITH_TIMEOUT(strip.enabled(), QString(), Limit);
}

QTEST_MAIN(TestManualClientsPanel)
#include "tst_manual_clients_panel.moc"
