// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_groups.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace lockui {

/// The line over the table of locks: how many there are, and what they are put together by.
class LocksBar : public QWidget {
    Q_OBJECT
public:
    explicit LocksBar(QWidget *parent = nullptr);

    void setCounts(qint64 shown, qint64 all, bool isWhole, int groups); // whole: all keys were looked at
    void setGrouping(Grouping grouping);
    Grouping grouping() const { return m_grouping; }
    void addAtEnd(QWidget *widget); // on the right

Q_SIGNALS:
    void groupingChosen(lockui::Grouping grouping);
    void foldAllChosen(bool folded);

private:
    void fillMenu();

    Grouping m_grouping = Grouping::None;
    QLabel *m_counts;
    QToolButton *m_group;
    QHBoxLayout *m_layout;
};

/// In the settings.
QString nameOf(Grouping grouping);
Grouping groupingNamed(const QString &name); // none where it is no name

} // namespace lockui
