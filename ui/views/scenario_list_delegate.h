// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lockui {

class Theme;

/// A line, and a quieter one below it where there is more to say; red where something is wrong.
class ScenarioListDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum Role {
        Detail = Qt::UserRole, // text; absent or empty: the line is alone
        IsBroken, // bool
    };

    ScenarioListDelegate(const Theme &theme, QObject *parent);

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const Theme &m_theme;
};

} // namespace lockui
