// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/report.h"

#include "ui/lab/lanes.h"
#include "ui/lab/play_text.h"
#include "ui/lab/report_drawing.h"
#include "ui/lab/step_text.h"
#include "ui/text/display_text.h"
#include "ui/text/meaning_colors.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace lockui::lab {

using lockcore::Millis;
using lockcore::MonoTime;

namespace {

struct LabReport {
    Q_DECLARE_TR_FUNCTIONS(LabReport)
};

constexpr const char *ReportStyle = R"(
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1b2026; --soft: #5c6670; --line: #d9dee3; --shade: #f4f6f8; @onLight }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14181d; --ink: #e6eaee; --soft: #9aa5b1; --line: #323a43; --shade: #1c2229; @onDark } }
@media print { :root { color-scheme: light;
  --paper: #ffffff; --ink: #000000; --soft: #444444; --line: #bbbbbb; --shade: #f4f6f8; @onLight }
  section { break-before: page; } section.only, section.facts { break-before: auto; } svg, tr { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
body { margin: 2rem auto; padding: 0 1.5rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .3rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
a { color: inherit; } code { font-family: ui-monospace, "Noto Sans Mono", monospace; font-size: .92em; }
p { margin: .4rem 0; max-width: 46rem; } .soft { color: var(--soft); }
p, dd, td, li, h1, h2 { unicode-bidi: isolate; overflow-wrap: anywhere; }
.result { font-weight: 600; } .passed { color: color-mix(in srgb, var(--good) 70%, var(--ink)); }
.failed { color: color-mix(in srgb, var(--bad) 70%, var(--ink)); } .open { color: color-mix(in srgb, var(--doubt) 70%, var(--ink)); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .8rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; } td.number, td.result, th { white-space: nowrap; overflow-wrap: normal; } td.number { font-variant-numeric: tabular-nums; }
td:nth-child(4) { overflow-wrap: normal; } td ul { margin: 0; padding-left: 1.1rem; } tr:target { background: var(--shade); }
nav ol { padding-left: 1.4rem; } nav li { margin: .15rem 0; }
svg.lanes { width: 100%; height: auto; margin: .4rem 0; } svg.patterns { position: absolute; width: 0; height: 0; }
svg text { font-size: 11px; fill: var(--ink); } svg .name { font-size: 13px; font-weight: 600; }
svg .row, svg .tick { fill: var(--soft); } svg .tick { text-anchor: middle; } svg .step { fill: var(--soft); }
svg .left { text-anchor: end; } svg .edge { stroke: var(--line); } svg .grid { stroke: var(--line); stroke-dasharray: 1 3; }
svg .believed { fill: none; stroke: var(--watchdog); stroke-dasharray: 3 2; }
svg .hold { fill: var(--watchdog); } svg .hold.fixed { fill: var(--fixed); } svg .hold.permits { fill: var(--permits); }
svg .inBar { fill: var(--paper); font-weight: 600; } svg .depth { stroke: var(--paper); stroke-width: 1.5; }
svg .wait { fill: none; stroke: var(--wait); stroke-width: 1.2; } svg .hatch { stroke: var(--bad); stroke-width: 2.5; }
svg .ghost { fill: url(#hatched); stroke: var(--bad); } svg .state { fill: url(#greyed); stroke: var(--soft); stroke-width: .6; }
svg .greyHatch { stroke: var(--soft); stroke-width: 1.2; } svg .gap { fill: var(--soft); fill-opacity: .18; }
svg .renewal { stroke: var(--ink); stroke-width: 1.6; } svg .renewal.doubtful { stroke-dasharray: 2 2; }
svg .inferred { stroke: var(--ink); stroke-width: 1.6; stroke-dasharray: 3 2; }
svg .good circle { fill: var(--good); } svg .doubtful circle { fill: var(--doubt); } svg .plain circle { fill: var(--soft); } svg .bad circle { fill: var(--bad); }
ul.legend { list-style: none; margin: 0 0 .4rem; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem;
  font-size: 12px; color: var(--soft); }
ul.legend svg { width: 26px; height: 16px; vertical-align: -3px; margin-right: .4rem; }
)";

QString variablesOf(const MeaningColors &colors)
{
    QStringList texts;
    for (const auto &[name, color] : { std::pair{ "watchdog", colors.watchdog }, { "fixed", colors.fixed },
             { "permits", colors.good }, { "wait", colors.waiting }, { "doubt", colors.warning },
             { "bad", colors.danger }, { "good", colors.good } })
        texts << QStringLiteral("--%1: #%2;").arg(QLatin1String(name)).arg(color, 6, 16, QLatin1Char('0'));
    return texts.join(u' ');
}

QString styleText()
{
    return QString::fromUtf8(ReportStyle)
        .replace(QStringLiteral("@onLight"), variablesOf(ColorsOnLight))
        .replace(QStringLiteral("@onDark"), variablesOf(ColorsOnDark));
}

QString element(const char *name, const QString &markup, const char *shape = nullptr)
{
    const QString tag = QLatin1String(name);
    return QStringLiteral("<%1%2>%3</%1>\n")
        .arg(tag, shape ? QStringLiteral(" class=\"%1\"").arg(QLatin1String(shape)) : QString(), markup);
}

std::size_t countOf(const PlayRecord &play, StepState state)
{
    return static_cast<std::size_t>(std::ranges::count(play.progress, state, &StepProgress::state));
}

const char *resultShape(const PlayRecord &play)
{
    if (countOf(play, StepState::Failed) > 0)
        return "failed";
    return countOf(play, StepState::Passed) == play.progress.size() ? "passed" : "open";
}

QString resultText(const PlayRecord &play)
{
    const auto steps = pluralOf(static_cast<qint64>(play.progress.size()));
    const QString passed = countText(static_cast<qint64>(countOf(play, StepState::Passed)));
    if (!play.start)
        return LabReport::tr("not begun");
    QString counted = LabReport::tr("%1 of %n steps passed", nullptr, steps).arg(passed);
    const std::size_t failed = countOf(play, StepState::Failed);
    const std::size_t left = play.progress.size() - countOf(play, StepState::Passed) - failed;
    if (failed > 0)
        counted += QStringLiteral(", ") + LabReport::tr("%n failed", nullptr, pluralOf(static_cast<qint64>(failed)));
    if (left > 0)
        counted += QStringLiteral(", ")
            + LabReport::tr("%n not played to their end", nullptr, pluralOf(static_cast<qint64>(left)));
    if (failed > 0)
        return LabReport::tr("failed: %1").arg(counted);
    return left == 0 ? LabReport::tr("passed: %1").arg(counted) : LabReport::tr("not finished: %1").arg(counted);
}

QString stepTime(const PlayRecord &play, std::optional<MonoTime> at) { return at ? secondsText(play, *at) : QString(); }

QString clocksText(const PlayRecord &play)
{
    if (!play.end)
        return LabReport::tr("not known: it was ended before its end");
    const auto wall = std::chrono::duration_cast<Millis>(play.end->wall - play.start->wall);
    const auto mono = std::chrono::duration_cast<Millis>(play.end->mono - play.start->mono);
    const Millis drift = wall > mono ? wall - mono : mono - wall;
    constexpr Millis Reading{ 2 }; // both clocks are read one after the other, in whole milliseconds
    return drift <= Reading ? LabReport::tr("no more than %1").arg(millisText(Reading)) : millisText(drift);
}

class PlaySection {
public:
    PlaySection(const PlayRecord &play, std::size_t number, bool isOnly)
        : m_play(play)
        , m_number(number)
        , m_isOnly(isOnly)
    {
    }

    QString html() const
    {
        QString text = element("h2", markupText(displayText(m_play.scenario.title)));
        text += element("p",
            QStringLiteral("<code>%1</code> <span class=\"result %2\">%3</span>")
                .arg(markupText(displayText(m_play.scenario.name)), QLatin1String(resultShape(m_play)),
                    markupText(resultText(m_play))));
        constexpr qsizetype LongestParagraph = 4'096;
        for (const std::string &paragraph : m_play.scenario.about)
            text += element("p", markupText(displayText(paragraph, LongestParagraph)));
        text += facts();
        if (m_play.start)
            text += element("h3", markupText(LabReport::tr("Timeline"))) + drawingLegend()
                + laneDrawing(m_play, stepLink());
        text += element("h3", markupText(LabReport::tr("Steps"))) + table();
        return QStringLiteral("<section id=\"play%1\"%2>\n%3</section>\n")
            .arg(QString::number(m_number), m_isOnly ? QStringLiteral(" class=\"only\"") : QString(), text);
    }

private:
    QString stepLink() const { return QStringLiteral("play%1step").arg(m_number); }

    static QString fact(const QString &name, const QString &text)
    {
        return element("dt", markupText(name)) + element("dd", markupText(text));
    }

    QString facts() const
    {
        const Scenario &scenario = m_play.scenario;
        QString list;
        if (m_play.start) {
            const MonoTime end = m_play.end ? m_play.end->mono : lastMoment(m_play);
            list += fact(LabReport::tr("Began"), zonedText(m_play.start->wall));
            list += fact(LabReport::tr("Lasted"),
                exactDurationText(std::chrono::duration_cast<Millis>(end - m_play.start->mono)));
        }
        if (m_play.heldBack > Millis{ 0 })
            list += fact(LabReport::tr("Held back"),
                LabReport::tr("for %1, by a person who paused it; what had begun went on meanwhile")
                    .arg(exactDurationText(m_play.heldBack)));
        list += fact(LabReport::tr("Servers"), needsText(scenario));
        if (!m_play.serverVersion.empty())
            list += fact(LabReport::tr("Redis"), displayText(m_play.serverVersion));
        list += fact(LabReport::tr("Watchdog's lease"), exactDurationText(scenario.watchdog));
        for (const ScenarioClient &client : scenario.clients) {
            QStringList ids;
            if (const auto lives = m_play.clientIds.find(client.name); lives != m_play.clientIds.end()) {
                for (const std::string &id : lives->second)
                    ids << displayText(id);
            }
            QString text = ids.isEmpty() ? LabReport::tr("not started") : ids.join(QStringLiteral(", then "));
            if (!client.renews)
                text = LabReport::tr("%1; its watchdog never comes").arg(text);
            list += fact(LabReport::tr("Client %1").arg(displayText(client.name)), text);
        }
        if (m_play.start)
            list += fact(LabReport::tr("Drift of the clocks"), clocksText(m_play));
        return QStringLiteral("<dl>\n%1</dl>\n").arg(list);
    }

    QString table() const
    {
        QString rows;
        for (std::size_t i = 0; i < m_play.scenario.steps.size(); ++i)
            rows += row(i);
        QString head;
        for (const QString &title :
            { QStringLiteral("#"), LabReport::tr("Began, s"), LabReport::tr("Ended, s"), LabReport::tr("Who"),
                LabReport::tr("Step"), LabReport::tr("Expected"), LabReport::tr("Seen"), LabReport::tr("Result") })
            head += QStringLiteral("<th scope=\"col\">%1</th>").arg(markupText(title));
        return QStringLiteral("<table>\n<thead><tr>%1</tr></thead>\n<tbody>\n%2</tbody>\n</table>\n").arg(head, rows);
    }

    QString row(std::size_t index) const
    {
        const Step &step = m_play.scenario.steps[index];
        const StepProgress &progress = m_play.progress[index];
        QString cells = cell(QString::number(index + 1), true) + cell(stepTime(m_play, progress.beganAt), true)
            + cell(stepTime(m_play, progress.endedAt), true) + cell(whoText(step, m_play.scenario));
        QString what = markupText(stepText(step));
        if (step.id != std::to_string(index + 1))
            what = QStringLiteral("<b>%1</b><br>%2").arg(markupText(displayText(step.id)), what);
        if (const QString when = whenText(step); !when.isEmpty())
            what += QStringLiteral("<br><span class=\"soft\">%1</span>").arg(markupText(when));
        if (const QString note = noteText(step); !note.isEmpty())
            what += QStringLiteral("<br><i>%1</i>").arg(markupText(note));
        cells += QStringLiteral("<td>%1</td>").arg(what);
        cells += QStringLiteral("<td>%1</td>")
                     .arg(listOf(expectedText(m_play.scenario, index).split(u'\n', Qt::SkipEmptyParts)));
        QString seen = listOf(seenText(m_play, index).split(u'\n', Qt::SkipEmptyParts));
        if (!progress.problems.isEmpty())
            seen += QStringLiteral("<div class=\"failed\">%1</div>").arg(listOf(problemTexts(m_play, index)));
        cells += QStringLiteral("<td>%1</td>").arg(seen);
        const char *shape = progress.state == StepState::Passed ? "passed"
            : progress.state == StepState::Failed               ? "failed"
                                                                : "open";
        cells += QStringLiteral("<td class=\"result %1\">%2</td>")
                     .arg(QLatin1String(shape), markupText(stateText(progress.state)));
        return QStringLiteral("<tr id=\"%1%2\">%3</tr>\n").arg(stepLink(), QString::number(index + 1), cells);
    }

    static QString cell(const QString &text, bool isNumber = false)
    {
        return QStringLiteral("<td%1>%2</td>")
            .arg(isNumber ? QStringLiteral(" class=\"number\"") : QString(), markupText(text));
    }

    static QString listOf(const QStringList &texts)
    {
        QString items;
        for (const QString &text : texts)
            items += QStringLiteral("<li>%1</li>").arg(markupText(text));
        return texts.size() == 1 ? markupText(texts.front())
            : texts.isEmpty()    ? QString()
                                 : QStringLiteral("<ul>%1</ul>").arg(items);
    }

    const PlayRecord &m_play;
    std::size_t m_number;
    bool m_isOnly;
};

QString contents(const std::vector<PlayRecord> &plays)
{
    QString items;
    for (std::size_t i = 0; i < plays.size(); ++i)
        items += QStringLiteral("<li><a href=\"#play%1\">%2</a> <span class=\"%3\">%4</span></li>\n")
                     .arg(QString::number(i + 1), markupText(displayText(plays[i].scenario.title)),
                         QLatin1String(resultShape(plays[i])), markupText(resultText(plays[i])));
    return QStringLiteral("<nav><ol>\n%1</ol></nav>\n").arg(items);
}

/// `22 of 24 scenarios passed, 1 failed, 1 left out`
QString resultOfAll(const std::vector<PlayRecord> &plays, const ReportFacts &facts)
{
    const auto ended = [&](const char *shape) {
        return static_cast<qint64>(std::ranges::count_if(
            plays, [&](const PlayRecord &play) { return std::string_view(resultShape(play)) == shape; }));
    };
    QStringList parts{ LabReport::tr("%1 of %n scenarios passed", nullptr,
        pluralOf(static_cast<qint64>(plays.size()) + static_cast<qint64>(facts.leftOut)))
                           .arg(countText(ended("passed"))) };
    if (const qint64 failed = ended("failed"); failed > 0)
        parts << LabReport::tr("%n failed", nullptr, pluralOf(failed));
    if (const qint64 open = ended("open"); open > 0)
        parts << LabReport::tr("%n not finished", nullptr, pluralOf(open));
    if (facts.leftOut > 0)
        parts << LabReport::tr("%n left out", nullptr, pluralOf(static_cast<qint64>(facts.leftOut)));
    return parts.join(QStringLiteral(", "));
}

QString howMeasured(const ReportFacts &facts)
{
    QString list;
    for (const auto &[name, version] : facts.versions)
        list += element("dt", markupText(name)) + element("dd", markupText(version));
    if (!facts.server.isEmpty())
        list += element("dt", markupText(LabReport::tr("Played on"))) + element("dd", markupText(facts.server));
    if (facts.leftOut > 0)
        list += element("dt", markupText(LabReport::tr("Left out")))
            + element("dd",
                markupText(LabReport::tr("%n scenarios that could not be played on this computer", nullptr,
                    static_cast<int>(facts.leftOut))));
    list += element("dt", markupText(LabReport::tr("Written"))) + element("dd", markupText(zonedText(facts.writtenAt)));
    return QStringLiteral("<section class=\"facts\">\n")
        + element("h2", markupText(LabReport::tr("Versions, and how it was measured")))
        + QStringLiteral("<dl>\n%1</dl>\n").arg(list)
        + element("p",
            markupText((facts.server.isEmpty() ? LabReport::tr("Servers, clients and monitor ran on this computer. ")
                                               : LabReport::tr("Clients and monitor ran on this computer. "))
                + LabReport::tr(
                    "Steps begin and end by its monotonic clock; how "
                    "long a client waited for its answer is measured in its own process. What the monitor told has the "
                    "time of day, and stands in the drawing by both clocks as they were read together at the "
                    "beginning: "
                    "by how much they drifted apart until the end is said with each play. Where a client and the "
                    "monitor "
                    "say different things, the client is believed.")))
        + QStringLiteral("</section>\n");
}

} // namespace

QByteArray htmlReport(const std::vector<PlayRecord> &plays, const ReportFacts &facts)
{
    const bool isOne = plays.size() == 1;
    const QString title = isOne ? LabReport::tr("Contention lab: %1").arg(displayText(plays.front().scenario.title))
                                : LabReport::tr("Contention lab: %1").arg(resultOfAll(plays, facts));
    QString body = element("h1", markupText(title)) + drawingPatterns();
    if (!isOne)
        body += contents(plays);
    for (std::size_t i = 0; i < plays.size(); ++i)
        body += PlaySection(plays[i], i + 1, isOne).html();
    body += howMeasured(facts);
    const QString page = QStringLiteral("<!doctype html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"
                                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                                        "style-src 'unsafe-inline'\">\n"
                                        "<meta name=\"viewport\" content=\"width=device-width\">\n"
                                        "<title>%2</title>\n<style>%3</style>\n</head>\n<body>\n")
                             .arg(markupText(QLocale().bcp47Name()), markupText(title), styleText());
    return (page + body + QStringLiteral("</body>\n</html>\n")).toUtf8();
}

} // namespace lockui::lab
