// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/page_commands.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QMenu>
#include <QPointer>
#include <QTabBar>
#include <QTimer>
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

QString notPossibleNow() { return PageCommandText::tr("not possible now"); }

/// Its name for screen readers has no figures that come and go.
QString titleOf(const QAbstractButton &button)
{
    const QString name = button.accessibleName();
    return plainTitle(name.isEmpty() ? button.text() : name);
}

/// But for those by which a bar of tabs scrolls.
QList<QAbstractButton *> buttonsOf(const QWidget &part)
{
    QList<QAbstractButton *> buttons = part.findChildren<QAbstractButton *>();
    buttons.removeIf([](const QAbstractButton *button) { return qobject_cast<QTabBar *>(button->parentWidget()); });
    return buttons;
}

QMenu *menuOf(const QAbstractButton &button)
{
    const auto *tool = qobject_cast<const QToolButton *>(&button);
    return tool ? tool->menu() : nullptr;
}

bool isChoice(const QAction &action)
{
    return !action.text().isEmpty() && !qobject_cast<const QWidgetAction *>(&action);
}

/// A page that was not shown knows some turns later what is possible on it.
void actWhenPossible(const QPointer<QAbstractButton> &button, const std::function<void()> &act, QDeadlineTimer until)
{
    constexpr int LookEvery = 50;
    if (!button || !button->isVisible())
        return;
    if (button->isEnabled())
        return act();
    if (!until.hasExpired())
        QTimer::singleShot(LookEvery, button, [=] { actWhenPossible(button, act, until); });
}

/// A page that is not shown, and what its buttons need.
struct HiddenPage {
    QString title;
    std::function<void()> show;
    PaletteNeed toBeEnabled;
};

template <typename Control>
PaletteEntry entryThere(
    QAbstractButton &button, Control &control, const QString &text, const HiddenPage &page, void (Control::*act)())
{
    constexpr int Patience = 2'000;
    QString note = stateText(control.isCheckable(), control.isChecked());
    note += (note.isEmpty() ? QString() : QStringLiteral(" · "))
        + PageCommandText::tr("goes to “%1” first").arg(page.title);
    PaletteEntry entry{ PaletteKind::Action, page.title + QStringLiteral(": ") + text, note, {}, {},
        [show = page.show, button = QPointer(&button), control = QPointer(&control), act] {
            show();
            actWhenPossible(
                button,
                [control, act] {
                    if (control)
                        (control->*act)();
                },
                QDeadlineTimer(Patience));
        } };
    PaletteNeed need;
    if (!button.isEnabled())
        need = page.toBeEnabled;
    else if (!control.isEnabled())
        need = { notPossibleNow(), page.show }; // where it is seen why
    if (!need.text.isEmpty()) {
        entry.needs = need.text;
        entry.run = need.step;
    }
    return entry;
}

/// It is in the page itself, or in its bar.
bool isOfPage(const QAbstractButton &button, const QWidget &page)
{
    const QWidget *room = &button;
    while (room->parentWidget() != &page)
        room = room->parentWidget();
    return room == &button || room->property("role") == QStringLiteral("bar");
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
        entry.needs = notPossibleNow();
        entry.run = nullptr;
    }
    return entry;
}

} // namespace

std::vector<PaletteEntry> commandsOf(const QMenu &menu, const QString &title)
{
    std::vector<PaletteEntry> entries;
    for (QAction *action : menu.actions())
        if (isChoice(*action))
            entries.push_back(
                entryOf(*action, title + QStringLiteral(": ") + plainTitle(action->text()), &QAction::trigger));
    return entries;
}

std::vector<PaletteEntry> commandsOf(const QWidget &part, const QString &title)
{
    std::vector<PaletteEntry> entries;
    const QString before = title + QStringLiteral(": ");
    for (QAbstractButton *button : buttonsOf(part)) {
        const QString text = titleOf(*button);
        if (!button->isVisible() || text.isEmpty())
            continue;
        QMenu *menu = menuOf(*button);
        if (!menu) {
            entries.push_back(entryOf(*button, before + text, &QAbstractButton::click));
            continue;
        }
        for (PaletteEntry &entry : commandsOf(*menu, before + text))
            entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<PaletteEntry> commandsOfHidden(
    const QWidget &page, const QString &title, const std::function<void()> &show, const PaletteNeed &toBeEnabled)
{
    const HiddenPage hidden{ title, show, toBeEnabled };
    std::vector<PaletteEntry> entries;
    for (QAbstractButton *button : buttonsOf(page)) {
        const QString text = titleOf(*button);
        const bool isDangerous = button->property("role") == QStringLiteral("danger");
        if (text.isEmpty() || isDangerous || !button->isVisibleTo(&page) || !isOfPage(*button, page))
            continue;
        QMenu *menu = menuOf(*button);
        if (!menu) {
            entries.push_back(entryThere(*button, *button, text, hidden, &QAbstractButton::click));
            continue;
        }
        for (QAction *action : menu->actions())
            if (isChoice(*action))
                entries.push_back(entryThere(*button, *action, text + QStringLiteral(": ") + plainTitle(action->text()),
                    hidden, &QAction::trigger));
    }
    return entries;
}

} // namespace lockui
