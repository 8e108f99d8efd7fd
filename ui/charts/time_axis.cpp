// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/time_axis.h"

#include "ui/text/display_text.h"

#include <QCoreApplication>

namespace lockui {

namespace {

struct TimeAxis {
    Q_DECLARE_TR_FUNCTIONS(TimeAxis)
};

} // namespace

QString windowText(std::chrono::seconds window)
{
    constexpr std::chrono::minutes Least{ 2 };
    const auto minutes = std::chrono::floor<std::chrono::minutes>(window);
    if (window < Least)
        return TimeAxis::tr("%1 s").arg(window.count());
    return minutes == window ? TimeAxis::tr("%1 min").arg(minutes.count()) : durationText(window);
}

QString momentBeforeText(std::chrono::seconds before, const QString &end)
{
    if (before > std::chrono::seconds(0))
        return QStringLiteral("−") + windowText(before);
    return end.isEmpty() ? TimeAxis::tr("now") : end;
}

} // namespace lockui
