// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/text_delegate.h"

namespace lockui {

/// A word in a pill; plain muted text where the model names no BadgeToneRole.
class StateBadgeDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;
};

} // namespace lockui
