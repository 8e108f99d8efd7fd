// SPDX-License-Identifier: GPL-3.0-or-later
// How far the play of a scenario is.
#pragma once

#include "lockcore/base/enum_table.h"
#include "lockcore/base/time.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

namespace lockui::lab {

enum class StepState {
    Waiting,
    Running,
    Passed,
    Failed,
    Stopped, // the play was over before the step was
    NotReached, // the play was over before the step began
};

struct StepProgress {
    StepState state = StepState::Waiting;
    std::optional<lockcore::MonoTime> beganAt;
    std::optional<lockcore::MonoTime>
        endedAt; // of what it did; what is expected of the world may be looked at for longer
    std::optional<lockcore::MonoTime> judgedAt; // when it was known whether all is as expected
    std::optional<Outcome> outcome; // of what a client did
    std::optional<lockcore::Millis> took; // where the client is
    std::optional<std::int64_t> token; // of a fenced lock
    QString said; // the words of an error
    QStringList seen; // of the world, at the last look: a line each
    QStringList problems; // what was expected, and what was seen instead
};

} // namespace lockui::lab
