// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/fit_height.h"

#include <QDialog>
#include <QLayout>

namespace lockui {

void renewLayouts(QDialog &dialog)
{
    const auto widgets = dialog.findChildren<QWidget *>();
    for (auto widget = widgets.rbegin(); widget != widgets.rend(); ++widget) {
        if (QLayout *inner = (*widget)->layout()) {
            inner->invalidate();
            (*widget)->updateGeometry();
        }
    }
    dialog.layout()->invalidate();
    dialog.layout()->activate();
}

void fitHeight(QDialog &dialog)
{
    renewLayouts(dialog);
    QLayout &layout = *dialog.layout();
    const int width = std::max(dialog.width(), layout.totalMinimumSize().width());
    const int needed = layout.hasHeightForWidth() ? layout.totalHeightForWidth(width) : layout.totalSizeHint().height();
    if (needed == dialog.minimumHeight())
        return; // a height that a person chose stays
    dialog.setMinimumHeight(needed);
    dialog.resize(width, needed);
}

} // namespace lockui
