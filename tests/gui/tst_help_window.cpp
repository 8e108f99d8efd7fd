// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/help_window.h"
#include "ui/support/theme.h"

#include <QDesktopServices>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>

using namespace lockui;

/// Takes what would have gone to the desktop.
class Desktop : public QObject {
    Q_OBJECT
public:
    Desktop() { QDesktopServices::setUrlHandler(QStringLiteral("https"), this, "open"); }
    ~Desktop() override { QDesktopServices::unsetUrlHandler(QStringLiteral("https")); }

    QList<QUrl> opened;

public Q_SLOTS:
    void open(const QUrl &url) { opened << url; }
};

namespace {

/// A browser that can be clicked without knowing where a link is painted.
struct Fixture {
    Theme theme{ *qApp };
    HelpWindow window{ theme };

    Fixture() { window.show(); }

    GuideBrowser &browser() { return *window.findChild<GuideBrowser *>(); }
    QListWidget &chapters() { return *window.findChild<QListWidget *>(); }
    QLineEdit &findField() { return *window.findChild<QLineEdit *>(); }
    QString shown() { return browser().source().fileName(); }
    void click(const char *link) { Q_EMIT browser().anchorClicked(QUrl(QString::fromLatin1(link))); }
    QColor colorOf(const QString &text)
    {
        const QTextCursor found = browser().document()->find(text);
        return found.isNull() ? QColor() : found.charFormat().foreground().color();
    }
};

} // namespace

class HelpWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void standsOnTheScreenAsAWhole()
    {
        Fixture f;
        QVERIFY(f.window.screen()->availableGeometry().contains(f.window.frameGeometry()));
    }

    void everyChapterIsThere()
    {
        Fixture f;
        QCOMPARE(f.chapters().count(), HelpWindow::chapters().size());
        for (int row = 0; row < f.chapters().count(); ++row) {
            f.chapters().setCurrentRow(row);
            QCOMPARE(f.shown(), HelpWindow::chapters()[row]);
            const QTextBlock first = f.browser().document()->firstBlock();
            QCOMPARE(first.blockFormat().headingLevel(), 1);
            QCOMPARE(first.text(), f.chapters().item(row)->text());
            QVERIFY(f.browser().document()->blockCount() > 10);
        }
    }

    void linksLeadToChaptersAndHeadings()
    {
        Fixture f;
        f.click("reading-the-window.md#who-waits");
        QCOMPARE(f.shown(), QStringLiteral("reading-the-window.md"));
        QCOMPARE(f.chapters().currentRow(), 2);
        const int atHeading = f.browser().verticalScrollBar()->value();
        QVERIFY(atHeading > 0);
        f.click("#the-table");
        QVERIFY(f.browser().verticalScrollBar()->value() < atHeading);
    }

    void goesBackAndForward()
    {
        Fixture f;
        f.click("lockctl.md");
        f.click("api.md");
        QTest::keyClick(&f.browser(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(f.shown(), QStringLiteral("lockctl.md"));
        QCOMPARE(f.chapters().currentRow(), HelpWindow::chapters().indexOf(QStringLiteral("lockctl.md")));
        QTest::keyClick(&f.browser(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(f.shown(), QStringLiteral("api.md"));
    }

    void otherLinksGoToTheDesktopAndOnlyWhenClicked()
    {
        Fixture f;
        Desktop desktop;
        for (const QString &chapter : HelpWindow::chapters())
            f.window.showChapter(chapter);
        QVERIFY(desktop.opened.isEmpty());
        const QString before = f.shown();
        f.click("https://github.com/redisson/redisson");
        QCOMPARE(desktop.opened, QList<QUrl>{ QUrl(QStringLiteral("https://github.com/redisson/redisson")) });
        QCOMPARE(f.shown(), before);
    }

    void findsInTheChapter()
    {
        Fixture f;
        f.window.showChapter(QStringLiteral("reading-the-window.md"));
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QVERIFY(!f.findField().isVisible());
        QTest::keyClick(&f.browser(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(f.findField().hasFocus());
        QTest::keyClicks(&f.findField(), QStringLiteral("ghost"));
        QTest::keyClick(&f.findField(), Qt::Key_Return);
        QVERIFY(f.window.isVisible());
        QCOMPARE(f.browser().textCursor().selectedText(), QStringLiteral("ghost"));
        const int first = f.browser().textCursor().position();
        QTest::keyClick(&f.findField(), Qt::Key_Return);
        QVERIFY(f.browser().textCursor().position() > first);
        QTest::keyClick(&f.findField(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(f.browser().textCursor().position(), first);
        QTest::keyClick(&f.findField(), Qt::Key_Escape);
        QVERIFY(!f.findField().isVisible());
        QTest::keyClick(&f.browser(), Qt::Key_Escape);
        QVERIFY(!f.window.isVisible());
    }

    void saysWhenNothingIsFound()
    {
        Fixture f;
        QTest::keyClick(&f.browser(), Qt::Key_F, Qt::ControlModifier);
        f.findField().setText(QStringLiteral("no such word"));
        QTest::keyClick(&f.findField(), Qt::Key_Return);
        QCOMPARE(f.findField().property("invalid").toString(), QStringLiteral("true"));
    }

    void followsTheTheme()
    {
        Fixture f;
        f.theme.setMode(Theme::Light);
        const QColor light = f.colorOf(QStringLiteral("Getting started"));
        f.theme.setMode(Theme::Dark);
        QCOMPARE(light, QColor(0x1f, 0x6f, 0xeb));
        QCOMPARE(f.colorOf(QStringLiteral("Getting started")), QColor(0x4c, 0x9a, 0xff));
        QCOMPARE(f.shown(), QStringLiteral("index.md"));
    }
};

QTEST_MAIN(HelpWindowTest)

#include "tst_help_window.moc"
