// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_list.h"

#include "ui/lab/play_text.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

#include <QPainter>
#include <QStyledItemDelegate>

namespace lockui {

using lab::Verdict;

namespace {

constexpr int NameRole = Qt::UserRole; // QByteArray; invalid: the title of a group
constexpr int VerdictRole = Qt::UserRole + 1;
constexpr int ScenarioHeight = 26;
constexpr int GroupHeight = 32;

QString verdictSign(Verdict verdict)
{
    switch (verdict) {
    case Verdict::None:
        return {};
    case Verdict::Running:
        return QStringLiteral("◔");
    case Verdict::Passed:
        return QStringLiteral("✓");
    case Verdict::Failed:
        return QStringLiteral("✗");
    }
    return {};
}

constexpr int VerdictWidth = 18;
constexpr QMargins EntryMargins(10, 0, 8, 0);

/// A title that is too long for one line has two.
class ScenarioDelegate : public QStyledItemDelegate {
public:
    ScenarioDelegate(const Theme &theme, QListView &list)
        : QStyledItemDelegate(&list)
        , m_theme(theme)
        , m_list(list)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        if (!index.data(NameRole).isValid())
            return { 80, GroupHeight };
        const int room = m_list.viewport()->width() - EntryMargins.left() - EntryMargins.right() - VerdictWidth;
        const int extra = heightOf(titleFont(false), room, index) - QFontMetrics(titleFont(false)).height();
        return { 80, ScenarioHeight + extra };
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        if (index.data(NameRole).isValid())
            paintScenario(*painter, option, index);
        else
            paintGroup(*painter, option.rect, index.data().toString());
        painter->restore();
    }

private:
    static int heightOf(const QFont &font, int width, const QModelIndex &index)
    {
        constexpr int Endless = 1'000;
        return QFontMetrics(font)
            .boundingRect(0, 0, width, Endless, Qt::TextWordWrap, index.data().toString())
            .height();
    }

    QFont titleFont(bool isBold) const
    {
        QFont font = m_theme.uiFont();
        font.setWeight(isBold ? QFont::DemiBold : QFont::Normal);
        return font;
    }

    void paintGroup(QPainter &painter, const QRect &place, const QString &title) const
    {
        QFont font = m_theme.uiFont();
        font.setPixelSize(12);
        font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(m_theme.colors().muted);
        painter.drawText(place.adjusted(10, 6, -10, 0), Qt::AlignVCenter | Qt::AlignLeft, title);
    }

    void paintScenario(QPainter &painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
    {
        const Colors &colors = m_theme.colors();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(option.state.testFlag(QStyle::State_HasFocus) ? QPen(colors.accent) : QPen(Qt::NoPen));
        painter.setBrush(selected ? QBrush(colors.selection) : hovered ? QBrush(colors.hover) : Qt::NoBrush);
        painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        const auto verdict = static_cast<Verdict>(index.data(VerdictRole).toInt());
        const QRect inner = option.rect.marginsRemoved(EntryMargins);
        const QRect place = inner.adjusted(0, 0, -VerdictWidth, 0);
        const bool isBold = selected // where that needs no more lines
            && heightOf(titleFont(true), place.width(), index) <= heightOf(titleFont(false), place.width(), index);
        painter.setFont(titleFont(isBold));
        painter.setPen(colors.text);
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, index.data().toString());
        painter.setPen(m_theme.ink(verdict == Verdict::Passed ? Tone::Good
                : verdict == Verdict::Failed                  ? Tone::Danger
                                                              : Tone::Accent));
        painter.drawText(inner, Qt::AlignVCenter | Qt::AlignRight, verdictSign(verdict));
    }

    const Theme &m_theme;
    const QListView &m_list;
};

QString verdictText(Verdict verdict)
{
    switch (verdict) {
    case Verdict::None:
        return ScenarioList::tr("not played yet");
    case Verdict::Running:
        return ScenarioList::tr("running");
    case Verdict::Passed:
        return ScenarioList::tr("passed");
    case Verdict::Failed:
        return ScenarioList::tr("failed");
    }
    return {};
}

} // namespace

ScenarioList::ScenarioList(const Theme &theme, QWidget *parent)
    : WrappedRows(parent)
{
    setProperty("role", QStringLiteral("navigation"));
    setAccessibleName(tr("Scenarios"));
    setItemDelegate(new ScenarioDelegate(theme, *this));
    setMouseTracking(true);
    // Not what is current: a list that gets the focus makes its first row that, and nobody has chosen it.
    connect(this, &QListWidget::itemSelectionChanged, this, [this] {
        if (const std::string name = chosen(); !name.empty())
            Q_EMIT scenarioChosen(name);
    });
    connect(this, &QListWidget::itemActivated, this, [this] {
        if (const std::string name = chosen(); !name.empty())
            Q_EMIT runRequested(name);
    });
}

/// In groups, each in the order of the scenarios; those of no group at the end.
void ScenarioList::setScenarios(const std::vector<lab::Scenario> &scenarios)
{
    const std::string before = chosen();
    clear();
    std::vector<std::optional<lab::Group>> groups;
    for (const auto &row : lab::Groups)
        groups.emplace_back(row.value);
    groups.emplace_back(std::nullopt);
    for (const auto &group : groups) {
        bool isTitled = false;
        for (const lab::Scenario &scenario : scenarios) {
            if (scenario.group != group)
                continue;
            if (!std::exchange(isTitled, true))
                addGroup(lab::groupText(group));
            addScenario(scenario);
        }
    }
    choose(before);
}

void ScenarioList::addGroup(const QString &title)
{
    auto *entry = new QListWidgetItem(title, this);
    entry->setFlags(Qt::NoItemFlags);
}

void ScenarioList::addScenario(const lab::Scenario &scenario)
{
    auto *entry = new QListWidgetItem(displayText(scenario.title), this);
    entry->setData(NameRole, QByteArray::fromStdString(scenario.name));
    entry->setToolTip(plainToolTip(displayText(scenario.title)));
}

void ScenarioList::showVerdicts(const lab::LabSession &session)
{
    for (int row = 0; row < count(); ++row) {
        const QByteArray name = item(row)->data(NameRole).toByteArray();
        if (name.isEmpty())
            continue;
        const Verdict verdict = session.verdictOf(name.toStdString());
        item(row)->setData(VerdictRole, static_cast<int>(verdict));
        item(row)->setData(
            Qt::AccessibleTextRole, QStringLiteral("%1, %2").arg(item(row)->text(), verdictText(verdict)));
    }
}

/// The first one where there is none of that name.
void ScenarioList::choose(const std::string &name)
{
    int first = -1;
    for (int row = count() - 1; row >= 0; --row) {
        const QByteArray each = item(row)->data(NameRole).toByteArray();
        if (!each.isEmpty() && each.toStdString() == name)
            return setCurrentRow(row);
        if (!each.isEmpty())
            first = row;
    }
    setCurrentRow(first);
}

std::string ScenarioList::chosen() const
{
    const auto selected = selectedItems();
    return selected.isEmpty() ? std::string() : selected.front()->data(NameRole).toByteArray().toStdString();
}

} // namespace lockui
