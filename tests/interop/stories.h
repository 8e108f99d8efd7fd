// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/interop/twins.h"

#include <random>

namespace interop {

using Random = std::mt19937_64;

/// What can happen next with one kind of synchronizer, where it is certain what comes of it: no race decides.
struct StoryKind {
    const char *name;
    Twins::Channels channels;
    Twins::Proceeds proceeds;
    StoryStep (*next)(Random &random, const Twins &twins);
};

const std::vector<StoryKind> &storyKinds();

} // namespace interop
