// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/theme.h"
#include "ui/support/view_clock.h"
#include "ui/views/status_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPointer>
#include <QTest>
#include <QToolButton>

using namespace lockui;

namespace {

struct Fixture {
    Fixture()
    {
        auto snapshot = std::make_shared<lockcore::Snapshot>();
        snapshot->status.phase = lockcore::SourcePhase::Live;
        snapshot->status.missingRights = { "SCAN is refused to this user." };
        snapshot->status.aclLine = "ACL SETUSER poor +scan";
        strip.setSnapshot(snapshot);
        strip.show();
    }

    QMessageBox *ask()
    {
        for (QToolButton *button : strip.findChildren<QToolButton *>()) {
            if (button->text().contains(QStringLiteral("missing")))
                QTest::mouseClick(button, Qt::LeftButton);
        }
        return strip.findChild<QMessageBox *>();
    }

    const Theme theme{ *qApp };
    const ViewClock clock;
    StatusStrip strip{ theme, clock };
};

} // namespace

/// What the server's ACL refuses, and what would help.
class TestMissingRights : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void givesTheLineToCopy()
    {
        Fixture f;
        QPointer<QMessageBox> box = f.ask();
        QVERIFY(box);
        QVERIFY(box->informativeText().contains(QStringLiteral("SCAN is refused")));
        QVERIFY(box->informativeText().contains(QStringLiteral("ACL SETUSER poor +scan")));
        QVERIFY(box->textInteractionFlags() & Qt::TextSelectableByMouse);
        for (QAbstractButton *button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::ActionRole)
                button->click();
        }
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("ACL SETUSER poor +scan"));
    }

    void goesAwayWithEscape()
    {
        Fixture f;
        QPointer<QMessageBox> box = f.ask();
        QVERIFY(box && QTest::qWaitForWindowExposed(box));
        QTest::keyClick(box->windowHandle(), Qt::Key_Escape);
        QTRY_VERIFY(!box);
    }
};

QTEST_MAIN(TestMissingRights)
#include "tst_missing_rights.moc"
