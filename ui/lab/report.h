// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/play_record.h"

#include <QByteArray>
#include <QString>
#include <utility>
#include <vector>

namespace lockui::lab {

/// What a report says beside what is known of the plays.
struct ReportFacts {
    std::vector<std::pair<QString, QString>> versions; // of programs, by their names
    lockcore::WallTime writtenAt;
    QString server = {}; // a person's own, on which they were played; empty: private ones
    std::size_t leftOut = 0; // scenarios that could not be played here
};

/// Plays that are over, or as far as they came, as one page of HTML that needs nothing else: no script, nothing from
/// outside. Text from scenarios, servers and clients stays text in it.
QByteArray htmlReport(const std::vector<PlayRecord> &plays, const ReportFacts &facts);

} // namespace lockui::lab
