// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/trial_text.h"

#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore::service;
using namespace lockcore::transport;

namespace {

constexpr int SlotCount = 16'384; // of a cluster

struct TrialText {
    Q_DECLARE_TR_FUNCTIONS(TrialText)
};

QString answerLine(const ServerAnswer &answer)
{
    const QString server = displayText(answer.server);
    if (answer.error)
        return TrialText::tr("%1 does not answer: %2").arg(server, errorReason(*answer.error));
    const QString text = answer.role.empty() ? TrialText::tr("%1 answers").arg(server)
                                             : TrialText::tr("%1 answers (%2)").arg(server, displayText(answer.role));
    return answer.slots > 0 ? TrialText::tr("%1, %n slots", nullptr, answer.slots).arg(text) : text;
}

QString summary(const ConnectionReport &report)
{
    if (report.topology == Topology::Sentinel)
        return TrialText::tr("The sentinels name %1 as the master %2")
            .arg(displayText(report.servers.front().server), displayText(report.masterName));
    const auto all = pluralOf(std::ssize(report.servers));
    int answering = 0;
    int found = 0;
    for (const ServerAnswer &each : report.servers) {
        answering += each.error ? 0 : 1;
        found += each.error ? 0 : each.slots;
    }
    if (report.topology == Topology::Nodes)
        return TrialText::tr("%1 of %n servers answer", nullptr, all).arg(answering);
    return TrialText::tr("%1 of %n masters answer, with %2 of %3 slots", nullptr, all)
        .arg(answering)
        .arg(found)
        .arg(SlotCount);
}

} // namespace

QStringList answerLines(const ConnectionReport &report)
{
    if (report.servers.empty())
        return {};
    QStringList lines{ summary(report) };
    for (const ServerAnswer &each : report.servers)
        lines << answerLine(each);
    return lines;
}

} // namespace lockui
