// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/scenario_choice.h"

#include "app/common/arguments.h"
#include "app/common/words.h"
#include "ui/lab/own_scenarios.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_reader.h"

#include <QFile>

namespace app {

using lockcore::ErrorCode;
using lockcore::Result;
using lockui::lab::OwnScenarios;
using lockui::lab::Scenario;

namespace {

tl::unexpected<lockcore::Error> broken(const lockui::lab::ScenarioError &error, const std::string &context)
{
    return tl::unexpected(complaint(ErrorCode::InvalidArgument, placedText(error), context));
}

Result<Scenario> scenarioInFile(const std::string &path)
{
    const std::string context = "reading " + path;
    QFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(complaint(ErrorCode::FileFailed, file.errorString(), context));
    const auto scenario = lockui::lab::readScenario(file.readAll().toStdString());
    if (scenario)
        return *scenario;
    return broken(scenario.error(), context);
}

} // namespace

Result<ScenarioChoice> chooseScenario(const std::string &word)
{
    if (const Scenario *builtIn = lockui::lab::builtInScenario(word))
        return ScenarioChoice{ *builtIn };
    const OwnScenarios store;
    if (auto own = store.find(word)) {
        if (own->error)
            return broken(*own->error, "reading " + QFile::encodeName(store.fileOf(word)).toStdString());
        return ScenarioChoice{ std::move(own->scenario) };
    }
    if (word.find_first_of("/.") == std::string::npos)
        return usageError(Words::tr("there is no scenario '%1': lockctl scenarios lists them, and a file is "
                                    "named with its path, such as ./%1.json")
                              .arg(raw(word)));
    auto scenario = scenarioInFile(word);
    if (!scenario)
        return tl::unexpected(scenario.error());
    return ScenarioChoice{ std::move(*scenario), true };
}

} // namespace app
