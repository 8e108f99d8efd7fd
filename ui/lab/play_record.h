// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/events.h"
#include "ui/lab/play_progress.h"
#include "ui/lab/scenario.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockui::lab {

/// What a client found out by itself: that it does not hold a lock any more.
struct ClientLoss {
    std::string client; // its name in the scenario
    lockcore::LockName lock;
    std::string thread;
    lockcore::MonoTime at; // when the play was told
};

/// All that is known of a play, while it runs and afterwards: what a page, a report and checks look at.
struct PlayRecord {
    Scenario scenario;
    std::vector<StepProgress> progress; // one a step
    std::optional<lockcore::Now> start; // when the first step could begin; absent: not all is ready yet
    std::optional<lockcore::Now> end; // when the last step was over, or it was ended before; absent: it goes on
    std::map<std::string, std::vector<std::string>> clientIds; // by name; a client that was started again has several
    std::vector<lockcore::monitor::Event> events; // as the monitor of the play told them
    std::vector<ClientLoss> losses{}; // by time
    std::string serverVersion; // `7.0.15`; empty: not known yet
    lockcore::Millis heldBack{ 0 }; // by a person who paused it: what had begun went on meanwhile
    std::optional<lockcore::MonoTime> heldSince{}; // likewise, and it is not counted yet
};

/// Nobody holds it back any more.
void endHeldBack(PlayRecord &record, lockcore::MonoTime at);

/// Nothing runs any more, and nothing is waited for: no step is left that would still come to its end. `at`: of a play
/// that has not come to its own.
void endUnfinished(PlayRecord &record, const lockcore::Now &at);

} // namespace lockui::lab
