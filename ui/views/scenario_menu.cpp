// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_menu.h"

#include "ui/dialogs/notice_dialog.h"
#include "ui/lab/incident.h"
#include "ui/lab/scenario_writer.h"
#include "ui/support/event_store.h"
#include "ui/views/export_file.h"

#include <QCoreApplication>
#include <QMenu>

#include <unordered_set>

namespace lockui {

namespace {

struct ScenarioMenu {
    Q_DECLARE_TR_FUNCTIONS(ScenarioMenu)
};

/// Of what came later the store may have very much: one event a client tells that it lived on.
lab::Incident incidentIn(const EventStore &events, const ScenarioSight &sight)
{
    lab::Incident incident;
    incident.from = sight.from;
    incident.to = sight.to;
    std::unordered_set<std::string> seenLater;
    for (EventStore::Place place = events.first(); place < events.end(); ++place) {
        if (events.record(place).at < sight.from)
            continue;
        lockcore::monitor::Event event = events.event(place);
        const bool isLater = event.at > sight.to;
        const bool isEnd = event.kind == lockcore::monitor::EventKind::Expired; // which is no sign of life
        if (!isLater || (event.owner && !isEnd && seenLater.insert(event.owner->client).second))
            incident.events.push_back(std::move(event));
    }
    return incident;
}

void saveScenario(const EventStore &events, const ScenarioSight &sight, QWidget *window)
{
    const auto scenario = scenarioOf(incidentIn(events, sight), { .locks = sight.locks, .source = sight.source });
    if (!scenario) {
        (new NoticeDialog(
             ScenarioMenu::tr("Scenario"), ScenarioMenu::tr("No scenario was made."), scenario.error(), window))
            ->show();
        return;
    }
    std::string text = lab::scenarioText(*scenario).toStdString();
    new ExportFile(
        QStringLiteral("incident"), "JSON", "json", [text = std::move(text)] { return text; }, window,
        ScenarioMenu::tr("Save the scenario"));
}

} // namespace

void addScenarioEntry(
    QMenu &menu, const QString &text, const EventStore &events, const std::function<ScenarioSight()> &sight)
{
    QWidget *window = menu.parentWidget()->window();
    QObject::connect(menu.addAction(text), &QAction::triggered, window,
        [&events, sight, window] { saveScenario(events, sight(), window); });
}

} // namespace lockui
