// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/style_sheet.h"

#include <QFile>
#include <QHash>

namespace lockui {

namespace {

QString tones(const Colors &c)
{
    const std::pair<const char *, QColor> all[] = { { "accent", c.accent }, { "fixed", c.fixed },
        { "warning", c.warning }, { "danger", c.danger }, { "waiting", c.waiting }, { "good", c.good } };
    QString sheet;
    for (const auto &[name, color] : all) {
        const QString tone = QLatin1String(name);
        sheet += QStringLiteral("QLabel[tone=\"%1\"], QToolButton[tone=\"%1\"] { color: %2; }\n"
                                "*[role=\"pill\"][tone=\"%1\"] { color: %2; background: %3; border-color: %4; }\n")
                     .arg(tone, color.name(), blend(c.window, color, 0.13).name(), blend(c.window, color, 0.55).name());
    }
    return sheet;
}

} // namespace

QString styleSheet(const Colors &c, const QString &monoFamily)
{
    QFile file(QStringLiteral(":/lockscope/style.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char *, QString> names[] = { { "@fieldHover", c.fieldHover.name() },
        { "@field", c.field.name() }, { "@window", c.window.name() }, { "@surface", c.surface.name() },
        { "@line", c.line.name() }, { "@border", c.border.name() }, { "@text", c.text.name() },
        { "@muted", c.muted.name() }, { "@faint", c.faint.name() }, { "@selection", c.selection.name() },
        { "@hover", c.hover.name() }, { "@accentText", (c.dark ? c.surface : c.window).name() },
        { "@accent", c.accent.name() }, { "@dangerWash", blend(c.window, c.danger, 0.14).name() },
        { "@danger", c.danger.name() }, { "@warningWash", blend(c.window, c.warning, 0.14).name() },
        { "@warning", c.warning.name() }, { "@disabled", blend(c.window, c.muted, 0.65).name() },
        { "@mono", monoFamily }, { "@shade", c.dark ? QStringLiteral("dark") : QStringLiteral("light") } };
    for (const auto &[name, value] : names)
        sheet.replace(QLatin1String(name), value);
    return sheet + tones(c);
}

} // namespace lockui
