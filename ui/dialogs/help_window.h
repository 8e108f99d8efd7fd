// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

class QLineEdit;
class QUrl;

namespace lockui {

class GuideBrowser;
class Navigation;
class Theme;

/// The user guide, in a window of its own beside the main one: chapters left, text right.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    explicit HelpWindow(Theme &theme, QWidget *parent = nullptr);

    static QStringList chapters(); // names of files, in the order of reading
    void showChapter(const QString &name);

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
