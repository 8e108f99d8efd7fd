// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"

#include <QLineEdit>
#include <QPointer>

class QLabel;

namespace lockui {

class Theme;

/// Where the filter is typed. What it understands, and what is wrong with it, is said below over whatever is there,
/// but for the titles of what is filtered.
class FilterField : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterField(const Theme &theme, QWidget *parent = nullptr);

    void keepInSight(const QWidget &titles); // of the same window

Q_SIGNALS:
    /// One that cannot be read hides nothing.
    void filterChanged(const lockcore::monitor::LockFilter &filter, const QString &text);
    void tableRequested(); // by the keys that lead to what was found

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void read();
    void applyTheme();
    void placeNote();
    void showProblem(const QString &problem);
    int spaceBelow() const; // left free between the field and what is said

    const Theme &m_theme;
    QPointer<const QWidget> m_titles;
    QAction *m_icon;
    QLabel *m_note;
    QLabel *m_problem; // a child of the window: it is never cut
};

} // namespace lockui
