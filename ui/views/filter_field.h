// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"

#include <QLineEdit>

class QLabel;

namespace lockui {

class Theme;

/// Where the filter is typed; says at its own right end what is wrong with it.
class FilterField : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterField(const Theme &theme, QWidget *parent = nullptr);

Q_SIGNALS:
    /// Only when it can be read; until then the filter before stays.
    void filterChanged(const lockcore::LockFilter &filter, const QString &text);
    void tableRequested(); // by the keys that lead to what was found

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void read();
    void applyTheme();
    void placeNote();

    const Theme &m_theme;
    QAction *m_icon;
    QLabel *m_note;
};

} // namespace lockui
