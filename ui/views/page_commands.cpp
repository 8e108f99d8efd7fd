// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/page_commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QPointer>
#include <QToolButton>
#include <QWidgetAction>

namespace lockui {

namespace {

struct PageCommandText {
    Q_DECLARE_TR_FUNCTIONS(PageCommandText)
};

/// Without the marks of its key and its menu.
QString plainTitle(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("▾")).trimmed(); }

QString stateText(bool isCheckable, bool isChecked)
{
    return !isCheckable ? QString() : isChecked ? PageCommandText::tr("on") : PageCommandText::tr("off");
}

template <typename Control>
PaletteEntry entryOf(Control &control, const QString &title, void (Control::*act)())
{
    PaletteEntry entry{ PaletteKind::Action, title, stateText(control.isCheckable(), control.isChecked()), {}, {},
        [control = QPointer<Control>(&control), act] {
            if (control)
                (control->*act)();
        } };
    if (!control.isEnabled()) {
        entry.needs = PageCommandText::tr("not possible now");
        entry.run = nullptr;
    }
    return entry;
}

} // namespace

std::vector<PaletteEntry> commandsOf(const QMenu &menu, const QString &title)
{
    std::vector<PaletteEntry> entries;
    for (QAction *action : menu.actions())
        if (!action->text().isEmpty() && !qobject_cast<QWidgetAction *>(action))
            entries.push_back(
                entryOf(*action, title + QStringLiteral(": ") + plainTitle(action->text()), &QAction::trigger));
    return entries;
}

std::vector<PaletteEntry> commandsOf(const QWidget &part, const QString &title)
{
    std::vector<PaletteEntry> entries;
    const QString before = title + QStringLiteral(": ");
    for (QAbstractButton *button : part.findChildren<QAbstractButton *>()) {
        // Its name for screen readers has no figures that come and go.
        const QString name = button->accessibleName();
        const QString text = plainTitle(name.isEmpty() ? button->text() : name);
        if (!button->isVisible() || text.isEmpty())
            continue;
        const auto *tool = qobject_cast<QToolButton *>(button);
        if (!tool || !tool->menu()) {
            entries.push_back(entryOf(*button, before + text, &QAbstractButton::click));
            continue;
        }
        for (PaletteEntry &entry : commandsOf(*tool->menu(), before + text))
            entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace lockui
