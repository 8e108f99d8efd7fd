// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/suspect_list.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/suspect_text.h"

#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int LockRole = Qt::UserRole; // as it is shown
constexpr int SeenRole = Qt::UserRole + 1;
constexpr int GraveRole = Qt::UserRole + 2;
constexpr std::size_t MostRows = 100;
constexpr int Space = 8; // between what is suspected and the lock

/// Two lines: what is suspected of which lock, and what was seen.
class RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(const Theme &theme, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return { 100, 46 }; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Colors &colors = m_theme.colors();
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, colors.selection);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, colors.hover);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), colors.line);
        const QRect inner = option.rect.adjusted(8, 4, -8, -5);
        QRect first(inner.left(), inner.top(), inner.width(), inner.height() / 2);
        const QRect second(inner.left() + 20, first.bottom() + 1, inner.width() - 20, inner.height() / 2);
        painter->setFont(m_theme.uiFont());
        painter->setPen(index.data(GraveRole).toBool() ? colors.danger : colors.warning);
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("⚠"));
        first.setLeft(second.left());
        QFont bold = m_theme.uiFont();
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(colors.text);
        // Which lock it is stays in sight, however long it is what is suspected of it.
        const QString lock = index.data(LockRole).toString();
        const int forLock
            = std::min(QFontMetrics(m_theme.monoFont()).horizontalAdvance(lock), first.width() * 2 / 5) + Space;
        const QString title
            = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, first.width() - forLock);
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft, title);
        first.setLeft(first.left() + painter->fontMetrics().horizontalAdvance(title) + Space);
        painter->setFont(m_theme.monoFont());
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            elided(lock, painter->fontMetrics(), first.width()));
        QFont small = m_theme.uiFont();
        small.setPixelSize(12);
        painter->setFont(small);
        painter->setPen(colors.muted);
        painter->drawText(second, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            painter->fontMetrics().elidedText(index.data(SeenRole).toString(), Qt::ElideRight, second.width()));
        painter->restore();
    }

private:
    const Theme &m_theme;
};

} // namespace

SuspectList::SuspectList(const Theme &theme, const ClientNames &names, QWidget *parent)
    : QListWidget(parent)
    , m_names(names)
{
    setProperty("role", QStringLiteral("cards"));
    setAccessibleName(tr("Suspects"));
    setItemDelegate(new RowDelegate(theme, this));
    setMouseTracking(true);
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            Q_EMIT lockChosen(m_rows[static_cast<std::size_t>(row)].lock);
    });
    connect(this, &QListWidget::itemActivated, this,
        [this](const QListWidgetItem *item) { Q_EMIT lockOpened(m_rows[static_cast<std::size_t>(row(item))].lock); });
}

void SuspectList::setAnalysis(const Analysis *analysis, const std::function<bool(const LockName &)> &isWanted)
{
    std::vector<Row> rows;
    if (analysis != nullptr) {
        for (const WaitCycle &cycle : analysis->graph->cycles)
            if (std::ranges::any_of(cycle, [&](const WaitEdge &edge) { return isWanted(edge.lock); }))
                rows.push_back({ tr("Deadlock"), cycle.front().lock, cycleText(cycle, &m_names), true });
        for (const Suspect &suspect : analysis->suspects) {
            if (rows.size() == MostRows)
                break;
            if (isWanted(suspect.lock))
                rows.push_back({ suspectTitle(suspect.kind), suspect.lock, suspectText(suspect, &m_names),
                    suspect.kind == SuspectKind::TwoHolders });
        }
    }
    setRows(std::move(rows));
}

/// What a person has chosen stays chosen, wherever it stands then.
void SuspectList::setRows(std::vector<Row> rows)
{
    if (rows == m_rows)
        return;
    const QSignalBlocker quiet(this);
    const int chosen = currentRow();
    const std::optional<Row> before
        = chosen < 0 ? std::nullopt : std::optional(m_rows[static_cast<std::size_t>(chosen)]);
    m_rows = std::move(rows);
    while (count() > static_cast<int>(m_rows.size()))
        delete takeItem(count() - 1);
    while (count() < static_cast<int>(m_rows.size()))
        addItem(QString());
    int again = -1;
    for (int i = 0; i < count(); ++i) {
        const Row &row = m_rows[static_cast<std::size_t>(i)];
        QListWidgetItem &shown = *item(i);
        const QString lock = lockNameText(row.lock, 120);
        shown.setText(row.title);
        shown.setData(LockRole, lock);
        shown.setData(SeenRole, row.seen);
        shown.setData(GraveRole, row.isGrave);
        shown.setToolTip(plainToolTip(lock + QLatin1Char('\n') + row.seen));
        shown.setData(Qt::AccessibleTextRole, QStringLiteral("%1 %2. %3").arg(row.title, lock, row.seen));
        if (before && row.title == before->title && row.lock == before->lock)
            again = i;
    }
    setCurrentRow(again);
}

void SuspectList::choose(const std::optional<LockName> &lock)
{
    const QSignalBlocker quiet(this);
    const int chosen = currentRow();
    if (chosen >= 0 && m_rows[static_cast<std::size_t>(chosen)].lock == lock)
        return;
    const auto row = lock ? std::ranges::find(m_rows, *lock, &Row::lock) : m_rows.end();
    setCurrentRow(row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin()));
}

} // namespace lockui
