// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

namespace lockbench {

enum class Better { Higher, Lower };

/// One figure, measured once a round. What was not measured stays empty.
struct Row {
    QString name;
    QString unit;
    Better better = Better::Higher;
    std::optional<double> goalOfLimit = {}; // ours / limit
    std::optional<double> goalOfPeer = {}; // ours / peer
    std::optional<double> goal = {}; // ours
    std::optional<double> goalOfBare = {}; // ours / bare
    std::vector<double> limit = {}; // redis-benchmark's
    std::vector<double> bare = {}; // the bare loop's
    std::vector<double> ours = {};
    std::vector<double> peer = {};
};

double median(std::vector<double> values);
double percentile(std::vector<double> values, double share);

/// For people: medians, the spread from lowest to highest, the medians of the ratios of the rounds, and the goals.
/// Columns of which nothing was measured are left out.
QString table(const std::vector<Row> &rows);
QJsonObject json(const std::vector<Row> &rows);

/// Says on stderr why it cannot.
bool write(const QString &file, const QJsonObject &report);

/// Prints the table and, when a file is named, writes the JSON there. Returns the exit status.
int present(const std::vector<Row> &rows, int rounds, const QString &jsonFile);

} // namespace lockbench
