// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/make_scenario.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/output.h"
#include "app/lockctl/record.h"
#include "ui/lab/incident.h"
#include "ui/lab/scenario_writer.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace lockctl {

using app::Words;
using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::WallTime;
using lockcore::monitor::Event;
using lockcore::monitor::Snapshot;
using lockcore::recording::Player;
using lockui::lab::Incident;
using lockui::lab::Scenario;

namespace {

bool isSaid(const RecordedMoment &moment) { return moment.at || moment.after; }

Result<Scenario> scenarioIn(Player &player, const MakeScenarioRequest &request)
{
    const auto &[first, last] = player.span();
    const auto from = isSaid(request.from) ? momentIn(player, request.from) : std::optional(first);
    const auto to = isSaid(request.to) ? momentIn(player, request.to) : std::optional(last);
    if (!from || !to)
        return tl::unexpected(noSuchMoment(player, from ? "to" : "from"));
    if (*to <= *from)
        return app::usageError(Words::tr("--to is not after --from"));
    Incident incident;
    incident.from = player.wallAt(*from);
    incident.to = player.wallAt(*to);
    // A snapshot comes a little after the events that led to it: the last one that shows all that was told before.
    const auto before = isSaid(request.from) ? player.previousEvent(*from) : std::nullopt;
    if (before) {
        const auto snapshot = player.at(*before);
        if (!snapshot)
            return tl::unexpected(snapshot.error());
        incident.before = *snapshot;
    }
    const WallTime since = before ? player.wallAt(*before) : WallTime::min();
    const auto visited = visitRecorded(player, [&](const Event &event) {
        if (event.at > since)
            incident.events.push_back(event);
        return true;
    });
    if (!visited)
        return tl::unexpected(visited.error());
    incident.snapshotAt = [&player](WallTime at) -> std::shared_ptr<const Snapshot> {
        const auto moment = player.momentAt(at);
        const auto snapshot = moment ? player.at(*moment) : Result<std::shared_ptr<const Snapshot>>();
        return snapshot ? *snapshot : nullptr;
    };
    auto scenario = scenarioOf(incident,
        { .locks = request.locks,
            .longestPause = request.longestPause,
            .source = QFileInfo(QFile::decodeName(request.file.c_str())).fileName() });
    if (!scenario)
        return tl::unexpected(app::complaint(ErrorCode::InvalidArgument, scenario.error(), "reading " + request.file));
    return std::move(*scenario);
}

Result<void> writeScenario(const std::string &path, const QByteArray &text)
{
    if (path.empty()) {
        printLine(std::string_view(text.trimmed().toStdString()));
        return {};
    }
    QSaveFile file(QFile::decodeName(path.c_str()));
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return {};
    return tl::unexpected(app::complaint(ErrorCode::FileFailed, file.errorString(), "writing " + path));
}

} // namespace

int makeScenario(const MakeScenarioRequest &request)
{
    auto player = Player::open(QFile::decodeName(request.file.c_str()));
    if (player && (*player)->warning())
        app::complain("lockctl", *(*player)->warning());
    const auto done = !player ? Result<void>(tl::unexpected(player.error()))
                              : scenarioIn(**player, request).and_then([&](const Scenario &scenario) {
                                    return writeScenario(request.out, scenarioText(scenario));
                                });
    if (player)
        tellDamage(**player);
    if (done)
        return app::Done;
    app::complain("lockctl", done.error());
    return app::exitStatus(done.error());
}

} // namespace lockctl
