// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lanes.h"
#include "ui/lab/play_record.h"

#include <QString>

namespace lockui::lab {

/// Text for HTML and SVG: nothing in it is taken for a tag, a quote of an attribute or a control character.
QString markupText(const QString &text);

/// The lanes of a play as an SVG element that stands in a page: colours and patterns come from its style sheet and from
/// `drawingPatterns`. `stepLink` is what leads to step 1, without its number.
QString laneDrawing(const PlayRecord &record, const QString &stepLink);

QString drawingPatterns(); // once a page, before the first drawing
QString drawingLegend(); // what the shapes mean

} // namespace lockui::lab
