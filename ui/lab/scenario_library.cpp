// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_library.h"

#include "ui/lab/scenario_reader.h"

#include <QDir>
#include <QFile>
#include <QtGlobal>
#include <algorithm>

/// Outside of any namespace, as Qt wants it.
static void loadScenarios() { Q_INIT_RESOURCE(scenarios); }

namespace lockui::lab {

namespace {

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString folder() { return QStringLiteral(":/lockscope/scenarios/"); }

/// Numbered, so that their names order them.
QStringList fileNames() { return QDir(folder()).entryList(QDir::Files, QDir::Name); }

std::vector<Scenario> readAll()
{
    loadScenarios();
    std::vector<Scenario> scenarios;
    for (const QString &name : fileNames()) {
        const auto scenario = readScenario(contents(folder() + name).toStdString());
        if (!scenario)
            qFatal("%s:%zu: %s", qPrintable(name), scenario.error().at.line, qPrintable(scenario.error().message));
        scenarios.push_back(*scenario);
    }
    return scenarios;
}

} // namespace

const std::vector<Scenario> &builtInScenarios()
{
    static const std::vector<Scenario> scenarios = readAll();
    return scenarios;
}

const Scenario *builtInScenario(const std::string &name)
{
    const auto &scenarios = builtInScenarios();
    const auto found = std::ranges::find(scenarios, name, &Scenario::name);
    return found == scenarios.end() ? nullptr : &*found;
}

QByteArray builtInText(const std::string &name)
{
    const Scenario *scenario = builtInScenario(name);
    return scenario ? contents(folder() + fileNames().at(scenario - builtInScenarios().data())) : QByteArray();
}

QByteArray schemaText()
{
    loadScenarios();
    return contents(QStringLiteral(":/lockscope/schema/scenario.schema.json"));
}

} // namespace lockui::lab
