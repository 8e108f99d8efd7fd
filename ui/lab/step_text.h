// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a scenario in words, for tables, reports and lines on a terminal. Plain text: names in it are printable.
#pragma once

#include "ui/lab/play_progress.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <QStringList>
#include <set>
#include <string>

namespace lockui::lab {

/// `3 s`, `250 ms`: as somebody wrote it, no figure is rounded.
QString writtenDuration(lockcore::Millis duration);

/// `A`, `server 2`, `administrator`; empty: nobody acts.
QString whoText(const Step &step, const Scenario &scenario);

bool isCall(const Step &step); // of a lock's method by a client
/// As a program calls it: `orders.tryLock(3 s) · Fair`; what is no call in words; and a look by its note, or by what is
/// looked at: `look at orders`.
QString stepText(const Step &step);
QString noteText(const Step &step); // that stepText() does not say; empty: there is none

/// When it begins, beside the end of the step before: `after "B waits", then 500 ms`; empty: at once.
QString whenText(const Step &step);

/// All that is expected, a phrase each; empty: nothing but that it is answered without an error.
QStringList expectedTexts(const Step &step);
/// The first of it, in one line, without how long it may take: `in Redis no key a; the monitor shows a free; and 2
/// more`.
QString expectedInShort(const Step &step, const Scenario &scenario);
QString withClientNames(QString text, const Scenario &scenario); // `A:1` for what is written `$A:1`

QString outcomeText(Outcome outcome); // `acquired`
QString toldText(lockcore::monitor::EventKind event, lockcore::monitor::Certainty certainty); // `expired (inferred)`
QString leaseTextOf(const std::string &name); // of what a scenario calls `watchdog`, as the table of locks has it
QString suspectTextOf(const std::string &name); // likewise, of a suspect

/// What came out: `acquired after 42 ms`, `an error after 3 ms: notHeld, …`; empty: it has not ended, or nobody answers
/// such a step.
QString seenText(const StepProgress &progress);

QString needsText(const Scenario &scenario); // which servers and programs: `a master, its replica and a Sentinel`
std::set<std::string> redissonVersions(const Scenario &scenario); // of its clients; an empty one stands for any

QString stateText(StepState state); // `waiting`, `running`, `passed`, `failed`

} // namespace lockui::lab
