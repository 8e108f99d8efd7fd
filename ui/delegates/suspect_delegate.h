// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/text_delegate.h"

namespace lockui {

/// A text with a sign of warning before it where the model suspects something.
class SuspectDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;
};

} // namespace lockui
