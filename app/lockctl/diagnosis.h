// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/json.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockctl {

/// What looks wrong with the locks that were watched.
struct Diagnosis {
    std::shared_ptr<const lockcore::monitor::Analysis> analysis; // never null
    std::vector<lockcore::LockName> suspected; // the gravest first, and each once
    std::optional<std::vector<lockcore::monitor::WaitCycle>> deadlocks; // absent: not looked for
    std::int64_t locks = 0;
    bool isFiltered = false;
    lockcore::Millis watched{ 0 };
    bool isComplete = false; // all servers were watched all the time, and deadlocks looked for
};

bool isFine(const Diagnosis &diagnosis);
void printText(const Diagnosis &diagnosis);
Json diagnosisJson(const Diagnosis &diagnosis);

} // namespace lockctl
