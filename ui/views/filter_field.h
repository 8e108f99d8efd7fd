// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"

#include <QLineEdit>

class QLabel;

namespace lockui {

class Theme;

/// Where the filter is typed; what is wrong with it is said below, over whatever is there.
class FilterField : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterField(const Theme &theme, QWidget *parent = nullptr);

Q_SIGNALS:
    /// One that cannot be read hides nothing.
    void filterChanged(const lockcore::LockFilter &filter, const QString &text);
    void tableRequested(); // by the keys that lead to what was found

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void read();
    void applyTheme();
    void placeNote();
    void showProblem(const QString &problem);

    const Theme &m_theme;
    QAction *m_icon;
    QLabel *m_note;
    QLabel *m_problem; // a child of the window: it is never cut
};

} // namespace lockui
