// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;

namespace lockui {

/// What changed deep inside is known to the outer layouts only after events that are still to come: now instead.
void renewLayouts(QDialog &dialog);

/// As high as its content needs at its width, wrapped texts included; Qt does that for windows only when first shown.
void fitHeight(QDialog &dialog);

} // namespace lockui
