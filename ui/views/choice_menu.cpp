// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/choice_menu.h"

#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/views/client_actions.h"

#include <QMenu>

#include <utility>

namespace lockui {

ChoiceMenu::ChoiceMenu(LockTable &table, const LockTableModel &locks)
    : QObject(&table)
    , m_table(table)
    , m_locks(locks)
{
}

void ChoiceMenu::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_allowed = allowed;
    m_whyNot = whyNot;
}

bool ChoiceMenu::offer(const QPoint &place, const std::function<void(QMenu &)> &addCopies)
{
    const auto locks = m_table.chosenLocks();
    const bool isOneGroup = m_table.chosenGroup() && m_table.selectionModel()->selectedRows().size() == 1;
    if (!isOneGroup && locks.size() < 2)
        return false;
    auto *menu = new QMenu(&m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    if (isOneGroup) {
        addGroup(*menu, *m_table.chosenGroup());
    } else {
        addCopies(*menu);
        menu->addSeparator();
        addRelease(*menu,
            tr("&Force release these %1 locks…", nullptr, pluralOf(std::ssize(locks)))
                .arg(countText(std::ssize(locks))),
            { locks, std::nullopt });
    }
    menu->popup(m_table.viewport()->mapToGlobal(place));
    return true;
}

void ChoiceMenu::addGroup(QMenu &menu, const GroupKey &key)
{
    LockGroupModel &groups = m_table.groups();
    const auto locks = groups.locksIn(key);
    const bool folded = groups.isFolded(key);
    connect(menu.addAction(folded ? tr("&Unfold") : tr("Fol&d")), &QAction::triggered, this,
        [&groups, key, folded] { groups.setFolded(key, !folded); });
    menu.addSeparator();
    const bool isClient = groups.grouping() == Grouping::Client && !key.isRest;
    if (isClient) {
        addClient(menu, key.text);
        connect(menu.addAction(tr("Onl&y this client")), &QAction::triggered, this,
            [this, key] { Q_EMIT filterWanted(filterFor(key.text)); });
        connect(menu.addAction(tr("Na&me this client…")), &QAction::triggered, this, [this, key] {
            Q_EMIT clientNamingRequested({ key.text, {} });
        });
        menu.addSeparator();
    }
    const auto count = std::ssize(locks);
    addRelease(menu,
        isClient
            ? tr("&Force release the %1 of this client that are shown…", nullptr, pluralOf(count)).arg(countText(count))
            : tr("&Force release these %1 locks…", nullptr, pluralOf(count)).arg(countText(count)),
        { locks, isClient ? std::optional(key.text) : std::nullopt });
}

void ChoiceMenu::addClient(QMenu &menu, const std::string &client)
{
    connect(menu.addAction(allOfClientText()), &QAction::triggered, this,
        [this, client] { Q_EMIT clientRequested(client); });
}

void ChoiceMenu::addRelease(QMenu &menu, const QString &text, BulkChoice choice)
{
    QAction *release = menu.addAction(text);
    const auto &sight = m_locks.sight();
    const QString whyNot = m_allowed && sight ? lossOfAll(*sight, choice.locks) : m_whyNot;
    release->setEnabled(m_allowed && whyNot.isEmpty());
    release->setToolTip(plainToolTip(whyNot));
    connect(release, &QAction::triggered, this,
        [this, chosen = std::move(choice)] { Q_EMIT bulkReleaseRequested(chosen); });
}

} // namespace lockui
