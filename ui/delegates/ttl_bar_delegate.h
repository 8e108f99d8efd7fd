// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/text_delegate.h"

namespace lockui {

/// A bar of the time left, and the same as text. Needs TtlRole, FullTtlRole and TtlStateRole.
class TtlBarDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;

private:
    void paintBar(QPainter &painter, const QRect &bar, qreal part, const QColor &color) const;
    void paintWarning(QPainter &painter, const QPoint &center, const QColor &color) const;
};

} // namespace lockui
