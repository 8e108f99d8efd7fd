// SPDX-License-Identifier: GPL-3.0-or-later
// What free play may begin with: groups that are worth comparing.
#pragma once

#include "ui/lab/free_play.h"

#include <QString>

#include <vector>

namespace lockui {

struct FreePlayPreset {
    QString title;
    QString about; // what one may see
    std::vector<lab::GroupSettings> groups; // their ids are none yet
};

std::vector<FreePlayPreset> freePlayPresets();

/// Clients that do what they are told, to this lock; of several values nobody takes one by hand.
lab::GroupSettings ledByHand(const lockcore::LockName &lock, lockcore::synchronizers::Kind kind);

/// What was changed from `before` to `after`, in another group as well: its kind and what belongs to that stay.
void changeAlike(lab::GroupSettings &other, const lab::GroupSettings &before, const lab::GroupSettings &after);

} // namespace lockui
