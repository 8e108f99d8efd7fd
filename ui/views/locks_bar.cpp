// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/locks_bar.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <array>

namespace lockui {

namespace {

struct GroupingRow {
    Grouping grouping;
    const char *name; // in the settings
    const char *button; // untranslated, as are those below
    const char *entry;
};

constexpr std::array GroupingRows{
    GroupingRow{ Grouping::None, "none", QT_TRANSLATE_NOOP("lockui::LocksBar", "not &grouped"),
        QT_TRANSLATE_NOOP("lockui::LocksBar", "&Not grouped") },
    GroupingRow{ Grouping::Client, "client", QT_TRANSLATE_NOOP("lockui::LocksBar", "&grouped by client"),
        QT_TRANSLATE_NOOP("lockui::LocksBar", "By the &client that holds them") },
    GroupingRow{ Grouping::Prefix, "prefix", QT_TRANSLATE_NOOP("lockui::LocksBar", "&grouped by prefix"),
        QT_TRANSLATE_NOOP("lockui::LocksBar", "By the &first part of their names") },
    GroupingRow{ Grouping::LongPrefix, "longPrefix", QT_TRANSLATE_NOOP("lockui::LocksBar", "&grouped by two parts"),
        QT_TRANSLATE_NOOP("lockui::LocksBar", "By the first &two parts of their names") },
};

const GroupingRow &rowOf(Grouping grouping) { return GroupingRows[static_cast<std::size_t>(grouping)]; }

} // namespace

QString nameOf(Grouping grouping) { return QString::fromLatin1(rowOf(grouping).name); }

Grouping groupingNamed(const QString &name)
{
    for (const GroupingRow &row : GroupingRows)
        if (name == QLatin1String(row.name))
            return row.grouping;
    return Grouping::None;
}

LocksBar::LocksBar(QWidget *parent)
    : QWidget(parent)
    , m_counts(plainLabel(QStringLiteral("strong"), this))
    , m_group(new QToolButton(this))
    , m_layout(new QHBoxLayout(this))
{
    makeBar(*this);
    m_group->setProperty("role", QStringLiteral("status"));
    m_group->setPopupMode(QToolButton::InstantPopup);
    m_group->setFocusPolicy(Qt::TabFocus);
    m_group->setAccessibleName(tr("Group the locks"));
    m_group->setToolTip(plainToolTip(tr("Puts locks together by who holds them, or by what their names begin with")));
    fillMenu();
    m_layout->setContentsMargins(10, 5, 10, 6);
    m_layout->setSpacing(16);
    m_layout->addWidget(m_counts);
    m_layout->addWidget(m_group);
    m_layout->addStretch();
    setGrouping(Grouping::None);
}

void LocksBar::fillMenu()
{
    auto *menu = new QMenu(m_group);
    m_choices = new QActionGroup(menu);
    m_folds = new QActionGroup(menu);
    for (const GroupingRow &row : GroupingRows) {
        QAction *entry = menu->addAction(tr(row.entry));
        entry->setCheckable(true);
        m_choices->addAction(entry);
        connect(entry, &QAction::triggered, this, [this, grouping = row.grouping] {
            setGrouping(grouping);
            Q_EMIT groupingChosen(grouping);
        });
    }
    menu->addSeparator();
    const std::pair<QString, bool> folds[] = { { tr("F&old all groups"), true }, { tr("&Unfold all groups"), false } };
    for (const auto &[text, folded] : folds)
        connect(m_folds->addAction(menu->addAction(text)), &QAction::triggered, this,
            [this, folded = folded] { Q_EMIT foldAllChosen(folded); });
    m_group->setMenu(menu);
}

void LocksBar::setGrouping(Grouping grouping)
{
    m_grouping = grouping;
    m_choices->actions().at(static_cast<int>(grouping))->setChecked(true);
    m_folds->setEnabled(grouping != Grouping::None);
    m_group->setText(tr(rowOf(grouping).button) + QStringLiteral(" ▾"));
}

void LocksBar::setCounts(qint64 shown, qint64 all, bool isWhole, int groups)
{
    const QString known = seenCountText(all, isWhole);
    QString text = shown == all ? tr("%1 locks", nullptr, pluralOf(all)).arg(known)
                                : tr("%1 of %2 locks", nullptr, pluralOf(all)).arg(countText(shown), known);
    if (m_grouping != Grouping::None)
        text += QStringLiteral(" · ") + tr("%1 groups", nullptr, pluralOf(groups)).arg(countText(groups));
    if (m_counts->text() != text)
        m_counts->setText(text);
}

void LocksBar::addAtEnd(QWidget *widget) { m_layout->addWidget(widget); }

} // namespace lockui
