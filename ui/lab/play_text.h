// SPDX-License-Identifier: GPL-3.0-or-later
// What a step says in words: who does what, what is expected, and what was seen.
#pragma once

#include "ui/lab/play_record.h"

#include <QString>
#include <QStringList>

namespace lockui::lab {

QString groupText(std::optional<Group> group);

/// `3 s`, `250 ms`: as scenarios say it.
QString spanText(lockcore::Millis span);
/// Since the first step could begin: `0.52 s`.
QString momentText(const PlayRecord &record, lockcore::MonoTime at);

QString actorText(const Step &step); // a client, with its thread where it is not the first; a server; the operator
QString doesText(const Step &step); // as a program calls it: `orders.tryLock(3 s)`
QString expectedText(const Step &step); // a line for each expectation; empty: nothing in particular
QString seenText(const PlayRecord &record, std::size_t step); // likewise; empty: it has not begun

/// What differs from what is expected.
QStringList problemTexts(const PlayRecord &record, std::size_t step);

/// Clients are called by their ids in Redis: in texts for people by their names.
QString withClientNames(const PlayRecord &record, QString text);

/// `2 clients · one server · watchdog 3 s`
QString factsText(const Scenario &scenario);

} // namespace lockui::lab
