// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/suspect_list.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/suspect_text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QTextLayout>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int LockRole = Qt::UserRole; // as it is shown
constexpr int SeenRole = Qt::UserRole + 1;
constexpr int GraveRole = Qt::UserRole + 2;
constexpr int PastRole = Qt::UserRole + 3;
constexpr std::size_t MostRows = 100;
constexpr int Space = 8; // between what is suspected and the lock
constexpr int Side = 8;
constexpr int Indent = 20; // of the text, behind the sign
constexpr int TitleHeight = 19;
constexpr int LineHeight = 16;
constexpr int MostLines = 3;

/// Where there are more lines, the last one is cut.
QStringList wrapped(const QString &text, const QFont &font, int width)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTextDirection(Qt::LeftToRight);
    QTextLayout layout(text, font);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    while (lines.size() < MostLines) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        lines << (lines.size() + 1 < MostLines
                ? text.mid(line.textStart(), line.textLength())
                : QFontMetrics(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, width));
    }
    layout.endLayout();
    return lines;
}

/// What is suspected of which lock, and below it what was seen.
class RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(const Theme &theme, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto *list = qobject_cast<const QListView *>(option.widget);
        const int width = list ? list->viewport()->width() : option.rect.width();
        const auto lines = static_cast<int>(linesOf(index, width - 2 * Side - Indent).size());
        return { 100, Above + TitleHeight + lines * LineHeight + Below };
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Colors &colors = m_theme.colors();
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, colors.selection);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, colors.hover);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), colors.line);
        const bool isFocused = option.widget != nullptr && option.widget->hasFocus();
        if (isFocused && option.state.testFlag(QStyle::State_Selected)) {
            painter->setPen(colors.accent);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        const QRect inner = option.rect.adjusted(Side, Above, -Side, -Below);
        QRect first(inner.left(), inner.top(), inner.width(), TitleHeight);
        QRect line(inner.left() + Indent, first.bottom() + 1, inner.width() - Indent, LineHeight);
        painter->setFont(m_theme.uiFont());
        const bool isPast = index.data(PastRole).toBool();
        painter->setPen(isPast ? colors.muted : index.data(GraveRole).toBool() ? colors.danger : colors.warning);
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("⚠"));
        first.setLeft(line.left());
        QFont bold = m_theme.uiFont();
        bold.setWeight(QFont::DemiBold);
        painter->setFont(bold);
        painter->setPen(isPast ? colors.muted : colors.text);
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
        painter->setFont(seenFont());
        painter->setPen(colors.muted);
        for (const QString &text : linesOf(index, line.width())) {
            painter->drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
            line.translate(0, LineHeight);
        }
        painter->restore();
    }

private:
    static constexpr int Above = 4;
    static constexpr int Below = 6;

    QFont seenFont() const
    {
        QFont small = m_theme.uiFont();
        small.setPixelSize(12);
        return small;
    }

    QStringList linesOf(const QModelIndex &index, int width) const
    {
        return wrapped(withUnbrokenTimes(index.data(SeenRole).toString()), seenFont(), width);
    }

    const Theme &m_theme;
};

} // namespace

SuspectList::SuspectList(const Theme &theme, const ClientNames &names, QWidget *parent)
    : WrappedRows(parent)
    , m_theme(theme)
    , m_names(names)
{
    setProperty("role", QStringLiteral("cards"));
    setAccessibleName(tr("Suspects"));
    setItemDelegate(new RowDelegate(theme, this));
    setMouseTracking(true);
    connect(this, &QListWidget::itemSelectionChanged, this, [this] {
        if (const int row = chosenRow(); row >= 0)
            Q_EMIT lockChosen(m_rows[static_cast<std::size_t>(row)].lock);
    });
    connect(this, &QListWidget::itemActivated, this,
        [this](const QListWidgetItem *item) { Q_EMIT lockOpened(m_rows[static_cast<std::size_t>(row(item))].lock); });
}

void SuspectList::setAnalysis(const Analysis *analysis, const std::function<bool(const LockName &)> &isWanted,
    const std::function<QString(const WaitCycle &)> &asItWas)
{
    std::vector<Row> rows;
    if (analysis != nullptr) {
        for (const WaitCycle &cycle : analysis->graph->cycles) {
            if (std::ranges::none_of(cycle, [&](const WaitEdge &edge) { return isWanted(edge.lock); }))
                continue;
            const QString past = asItWas(cycle);
            const QString text = cycleText(cycle, &m_names);
            rows.push_back({ tr("Deadlock (inferred)"), cycle.front().lock,
                past.isEmpty() ? text : past + QStringLiteral(": ") + text, true, !past.isEmpty() });
        }
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

int SuspectList::chosenRow() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.front().row();
}

void SuspectList::keyPressEvent(QKeyEvent *event)
{
    const bool moves = event->matches(QKeySequence::MoveToNextLine) || event->matches(QKeySequence::MoveToPreviousLine);
    if (moves && count() > 0 && chosenRow() < 0)
        return setCurrentRow(std::max(0, currentRow()));
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (opens && chosenRow() < 0) // the focus alone makes a row the current one
        return;
    QListWidget::keyPressEvent(event);
}

/// Where no row is chosen that could show it, the focus is seen around all of them.
void SuspectList::paintEvent(QPaintEvent *event)
{
    QListWidget::paintEvent(event);
    if (!hasFocus() || chosenRow() >= 0)
        return;
    QPainter painter(viewport());
    painter.setPen(m_theme.colors().accent);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

/// What a person has chosen stays chosen, wherever it stands then.
void SuspectList::setRows(std::vector<Row> rows)
{
    if (rows == m_rows)
        return;
    const QSignalBlocker quiet(this);
    const int chosen = chosenRow();
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
        const QString lock = lockNameText(row.lock);
        shown.setText(row.title);
        shown.setData(LockRole, lock);
        shown.setData(SeenRole, row.seen);
        shown.setData(GraveRole, row.isGrave);
        shown.setData(PastRole, row.isPast);
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
    const int chosen = chosenRow();
    if (chosen >= 0 && m_rows[static_cast<std::size_t>(chosen)].lock == lock)
        return;
    const auto row = lock ? std::ranges::find(m_rows, *lock, &Row::lock) : m_rows.end();
    setCurrentRow(row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin()));
}

} // namespace lockui
