// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/views/status_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <algorithm>

using namespace lockui;
using namespace lockui::test;

namespace {

struct Fixture {
    Fixture()
    {
        auto snapshot = std::make_shared<lockcore::monitor::Snapshot>();
        snapshot->status.phase = lockcore::monitor::SourcePhase::Live;
        snapshot->status.missingRights = { { lockcore::monitor::Right::Scan } };
        snapshot->status.aclLine = "ACL SETUSER poor +scan";
        strip.setSnapshot(snapshot);
        strip.show();
    }

    NoticeDialog *ask()
    {
        for (QToolButton *button : strip.findChildren<QToolButton *>()) {
            if (button->text().contains(QStringLiteral("missing")))
                QTest::mouseClick(button, Qt::LeftButton);
        }
        return strip.findChild<NoticeDialog *>();
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
        QPointer<NoticeDialog> box = f.ask();
        QVERIFY(box);
        for (const QString &text : { QStringLiteral("SCAN is refused"), QStringLiteral("ACL SETUSER poor +scan") }) {
            const auto *line = saying<QLabel>(*box->findChild<QWidget *>(QStringLiteral("details")), text);
            QVERIFY2(line && line->textInteractionFlags() & Qt::TextSelectableByMouse, qPrintable(text));
        }
        const auto buttons = box->findChildren<QPushButton *>();
        auto *copy = *std::ranges::find_if(
            buttons, [](const QPushButton *button) { return button->text().contains(QStringLiteral("Copy")); });
        QVERIFY(QTest::qWaitForWindowExposed(box));
        QTest::mouseClick(copy, Qt::LeftButton);
        QCOMPARE(copy->text(), QStringLiteral("Copied"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("ACL SETUSER poor +scan"));
    }

    void goesAwayWithEscape()
    {
        Fixture f;
        QPointer<NoticeDialog> box = f.ask();
        QVERIFY(box && QTest::qWaitForWindowExposed(box));
        QTest::keyClick(box->windowHandle(), Qt::Key_Escape);
        QTRY_VERIFY(!box);
    }
};

QTEST_MAIN(TestMissingRights)
#include "tst_missing_rights.moc"
