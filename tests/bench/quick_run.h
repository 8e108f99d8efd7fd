// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace lockbench {

/// The rows that a benchmark writes when it only shows that it runs; empty: it did not, and stderr says why.
inline QJsonArray quickRows(const QString &program, const QStringList &arguments, int limitMs)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figures.json"));
    QProcess benchmark;
    benchmark.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    benchmark.start(program, arguments + QStringList{ QStringLiteral("--quick"), QStringLiteral("--json"), path });
    if (!benchmark.waitForFinished(limitMs) || benchmark.exitCode() != 0) {
        qWarning("%s: %s, status %d", qPrintable(program), qPrintable(benchmark.errorString()), benchmark.exitCode());
        return {};
    }
    QFile file(path);
    return file.open(QIODevice::ReadOnly)
        ? QJsonDocument::fromJson(file.readAll()).object().value(QStringLiteral("rows")).toArray()
        : QJsonArray();
}

} // namespace lockbench
