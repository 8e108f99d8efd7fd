// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_tools.h"

#include "app/lab/free_play.h"
#include "app/lab/play.h"
#include "app/lab/scenario_needs.h"

#include <QCoreApplication>
#include <QStandardPaths>

namespace app {

using lockui::lab::LabNeed;

QString lockctlProgram()
{
    const QString name = QStringLiteral("lockctl");
    const QString beside = QStandardPaths::findExecutable(name, { QCoreApplication::applicationDirPath() });
    return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

lockui::lab::LabTools labTools()
{
    return { [](lockui::lab::Scenario scenario) -> std::unique_ptr<lockui::lab::Player> {
                return std::make_unique<Play>(std::move(scenario), PlayOptions{ .clientProgram = lockctlProgram() });
            },
        [] {
            std::vector<LabNeed> missing;
            if (!checkServerProgram())
                missing.push_back(LabNeed::RedisServer);
            if (lockctlProgram().isEmpty())
                missing.push_back(LabNeed::Lockctl);
            return missing;
        },
        []() -> std::unique_ptr<lockui::lab::FreePlay> {
            return std::make_unique<ProcessFreePlay>(lockctlProgram());
        } };
}

} // namespace app
