// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTextBrowser>

#include <vector>

class QLineEdit;
class QTextBlock;
class QTextFrame;
class QUrl;

namespace lockui {

class Navigation;
class Theme;

/// A chapter of the guide: Markdown from the resources, in the colours of the theme.
/// Links between chapters and to headings work; any other link is given to the desktop, when it is clicked.
class GuideBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit GuideBrowser(Theme &theme, QWidget *parent = nullptr);

    void open(const QUrl &chapter);
    bool findNext(const QString &text, bool backward = false); // from the top again at the end

private:
    void follow(const QUrl &link);
    void format(); // what Markdown alone leaves plain
    void formatBlocks();
    void formatHeading(const QTextBlock &block, int level);
    void formatCode(QTextBlock first);
    void formatText(const QTextBlock &block);
    void formatTables(QTextFrame &frame);
    void restoreAfterThemeChange();

    Theme &m_theme;
};

/// The user guide, in a window of its own beside the main one: chapters left, text right.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(Theme &theme, QWidget *parent = nullptr);

    /// A chapter, or a part of one, and where it is.
    struct Section {
        QString title;
        QString target; // of showChapter()
    };

    static QStringList chapters(); // names of files, in the order of reading
    static std::vector<Section> sections(); // of all chapters
    void showChapter(const QString &target); // `events.md`, or `events.md#export` for a part of it

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void build();
    void connectKeys();
    void markCurrent(const QUrl &source);
    void showFindField();
    void search(bool backward);

    Navigation *m_chapters;
    GuideBrowser *m_browser;
    QLineEdit *m_find;
};

} // namespace lockui
