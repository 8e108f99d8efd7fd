// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/incident_source.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <tl/expected.hpp>

namespace lockui::lab {

/// A scenario in which clients do the same in the same order: acquires, re-entries, waits in a queue, crashes, releases
/// and force releases, and are expected to see the same. What nobody saw is said in the notes, and nothing is made up
/// for it: permits and counts, of which Redis does not tell whose they are, are left out.
/// Errors: a sentence, where nothing is left to do for clients, or more than a scenario can have.
tl::expected<Scenario, QString> scenarioOf(const Incident &incident, const IncidentChoice &choice);

} // namespace lockui::lab
