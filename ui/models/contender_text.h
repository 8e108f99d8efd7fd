// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what clients of free play are at.
#pragma once

#include "ui/lab/free_play.h"
#include "ui/support/theme.h"

#include <QString>
#include <QStringList>

namespace lockui {

QString contendedText(lockcore::synchronizers::Kind kind, lockcore::synchronizers::LockVariant variant);
/// One for each group, by which they are told apart: `Fair`, `Reentrant · watchdog`, `Reentrant · lease 0.3 s`;
/// of those that are led by hand their locks
QStringList groupTitles(const std::vector<lab::GroupSettings> &groups);

/// What was measured: `0.42 ms`, `42 ms`, `1.3 s`
QString microsText(lab::Micros time);
QString microsText(const std::optional<lab::Micros> &time); // absent: a dash

/// `holds, 0.3 s`, `waits, 12 s`, `stands still, holds`
QString phaseText(const lab::ContenderState &client, lockcore::MonoTime now);
QString lastPhaseText(const lab::ContenderState &client, lockcore::MonoTime now); // as all of it ended
/// Of what a person has to know first of all: `lost it 8.0 s`; empty: the whole is as short as it can be.
QString shortPhaseText(const lab::ContenderState &client, lockcore::MonoTime now);
/// The same with what that means.
QString phaseExplanation(const lab::ContenderState &client);
/// Who came in whose place, and why; empty: nobody did.
QString replacedText(const lab::ContenderState &client);
QString unansweredText(); // of a client whose server is away
Tone phaseTone(const lab::ContenderState &client, bool isFixedLease);

/// `B: lock – acquired after 12 ms`
QString handText(const lab::HandOutcome &outcome);

/// Whom Redis still names although it is dead: a line each; empty: nobody.
QString ghostText(const lab::GroupState &group, lockcore::MonoTime now);

/// What a person should know of what went wrong in a group; absent: nothing did.
std::optional<QString> mishapText(const lab::GroupState &group);

} // namespace lockui
