// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios and plays in words, as the window shows them. The words of a step alone are in step_text.h.
#pragma once

#include "ui/lab/play_record.h"

#include <QString>
#include <QStringList>

namespace lockui::lab {

QString groupText(std::optional<Group> group);

/// Since the first step could begin: `0.520`.
QString secondsText(const PlayRecord &record, lockcore::MonoTime at);
QString momentText(const PlayRecord &record, lockcore::MonoTime at); // `0.520 s`

/// A line for each expectation, with clients as people call them: `$A:1` is `A:1`; empty: none in particular.
QString expectedText(const Scenario &scenario, std::size_t step);
QString seenText(const PlayRecord &record, std::size_t step); // likewise; empty: it has not begun

/// What differs from what is expected.
QStringList problemTexts(const PlayRecord &record, std::size_t step);

/// Clients are called by their ids in Redis: in texts for people by their names.
QString withClientNames(const PlayRecord &record, QString text);

/// `2 clients · one server · watchdog 3 s`
QString factsText(const Scenario &scenario);

} // namespace lockui::lab
