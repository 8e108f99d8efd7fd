// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace lockui {

class Theme;

/// A row of the command palette: what it is, with the letters that match in bold; at the right of what kind it is or
/// what it needs first, and its keys. Knows the roles of PaletteModel.
class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int RowHeight = 34;

    explicit PaletteDelegate(const Theme &theme, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    int paintKeys(QPainter &painter, const QRect &row, const QString &keys, const QColor &color) const;
    void paintText(QPainter &painter, const QRect &rect, const QModelIndex &index, const QColor &color) const;

    const Theme &m_theme;
};

} // namespace lockui
