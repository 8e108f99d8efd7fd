// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/scenario_choice.h"
#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/transport/deployment.h"
#include "ui/support/theme.h"

#include <QSize>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct Picture {
    std::string file;
    lockcore::Millis after{ 0 }; // once the window shows a live server, or the play of a scenario has begun
};

struct CommandLine {
    std::optional<std::string> print; // help or the version, and nothing else
    std::optional<lockcore::transport::Deployment> deployment;
    bool demo = false;
    std::optional<std::vector<std::string>> tokenNames; // as MonitorOptions::tokenNames; absent: as saved
    std::string recording; // to be shown instead of a server; empty: none
    std::string page; // of lockui::PageNames
    std::optional<lockui::Theme::Mode> theme; // absent: as remembered
    std::optional<QSize> size;
    std::optional<Picture> picture;
    std::optional<std::string> select; // the lock to show in detail
    std::optional<ScenarioChoice> scenario; // to be played in the lab
    std::string scenarioFile; // absolute; empty: it is known by its name
    std::string configFile; // empty: the usual place
};

/// Errors: local/invalid-argument with one sentence for the person at the shell.
[[nodiscard]] lockcore::Result<CommandLine> parseCommandLine(int argc, char **argv);

} // namespace app
