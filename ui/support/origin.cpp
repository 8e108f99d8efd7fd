// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/origin.h"

#include "ui/support/freshness.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_json.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct OriginText {
    Q_DECLARE_TR_FUNCTIONS(OriginText)
};

/// Of several servers the recording has the URL, of one its address.
std::string urlOf(const std::string &server)
{
    if (server.find("://") != server.npos)
        return server;
    return (server.starts_with('/') ? "unix://" : "redis://") + server;
}

QString stateText(const Origin &origin, const ViewClock &clock)
{
    if (origin.isRecording)
        return OriginText::tr("of a recording");
    if (origin.snapshot && origin.snapshot->status.phase == SourcePhase::Stale)
        return isFresh(*origin.snapshot) ? OriginText::tr("live, but not all servers are seen")
                                         : OriginText::tr("the connection was lost then");
    if (origin.snapshot && origin.snapshot->status.phase == SourcePhase::Sweeping)
        return OriginText::tr("the first sweep was under way: not all is there");
    return clock.isFrozen() ? OriginText::tr("paused then") : OriginText::tr("live");
}

/// As the axes of charts tell the time, and by how much that differs from UTC.
QString localTime(WallTime at)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count());
    return time.toOffsetFromUtc(time.offsetFromUtc()).toString(Qt::ISODateWithMs);
}

std::string serverText(const Origin &origin)
{
    const std::string title = origin.title.toStdString();
    const std::string server = origin.snapshot ? origin.snapshot->status.server : std::string();
    return title.empty() || server.empty() || title == server ? title + (title == server ? "" : server)
                                                              : title + " · " + server;
}

} // namespace

void Origin::show(std::shared_ptr<const Snapshot> shown)
{
    snapshot = std::move(shown);
    if (!isRecording || deployment || snapshot->status.server.empty())
        return;
    if (const auto recorded = transport::parseDeployment(urlOf(snapshot->status.server)))
        deployment = *recorded;
}

Now momentOf(const ViewClock &clock) { return { clock.now(), clock.wallAt(clock.now()) }; }

std::vector<ExportTable::Fact> factsOf(const Origin &origin, const ViewClock &clock)
{
    std::vector<ExportTable::Fact> facts{
        { "server", OriginText::tr("Server").toStdString(), serverText(origin) },
        { "at", OriginText::tr("Moment").toStdString(), isoTime(momentOf(clock).wall) },
        { "state", OriginText::tr("State").toStdString(), stateText(origin, clock).toStdString() },
    };
    if (!origin.filter.isEmpty())
        facts.push_back({ "filter", OriginText::tr("Filter").toStdString(), toBytes(origin.filter) });
    return facts;
}

QString subtitleOf(const Origin &origin, const ViewClock &clock)
{
    QStringList values;
    for (const ExportTable::Fact &fact : factsOf(origin, clock))
        values << (fact.key == "filter" ? OriginText::tr("filter: %1").arg(displayText(fact.value))
                : fact.key == "at"      ? localTime(momentOf(clock).wall)
                                        : displayText(fact.value));
    return values.join(QStringLiteral(" · "));
}

} // namespace lockui
