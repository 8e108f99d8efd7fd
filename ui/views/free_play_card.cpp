// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_card.h"

#include "ui/charts/curve_chart.h"
#include "ui/models/contender_text.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lockui {

using lab::GroupFigures;
using lab::GroupState;
using lab::SecondFigures;

namespace {

constexpr int LeastWidth = 284;
constexpr int RoomForWaits = 350; // a narrower one keeps its room for what clients are at
constexpr double LeastWait = 100; // microseconds: what any way to a server and back takes

/// 1, 2 or 5 times a power of ten.
double roundedUp(double value)
{
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double step : { 1.0, 2.0, 5.0 }) {
        if (step * power >= value)
            return step * power;
    }
    return 10 * power;
}

std::optional<double> numberOf(const std::optional<lab::Micros> &time)
{
    return time ? std::optional(std::max(LeastWait, static_cast<double>(time->count()))) : std::nullopt;
}

template <typename ToValue>
std::vector<std::optional<double>> curveOf(const GroupFigures &figures, ToValue toValue)
{
    std::vector<std::optional<double>> values;
    values.reserve(figures.seconds.size());
    for (const SecondFigures &second : figures.seconds)
        values.push_back(toValue(second));
    return values;
}

QString indexText(double index) { return QString::number(index, 'f', 2); }

} // namespace

void FreePlayCard::Scale::include(const GroupState &group)
{
    seconds = std::max(seconds, std::ssize(group.figures.seconds));
    for (const SecondFigures &second : group.figures.seconds) {
        acquires = std::max(acquires, roundedUp(std::max(1.0, static_cast<double>(second.acquires))));
        if (const auto longest = numberOf(second.longWait))
            wait = std::max(wait, std::pow(10, std::ceil(std::log10(*longest))));
    }
}

FreePlayCard::FreePlayCard(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_rows{ .theme = theme, .rowHeight = 25, .padding = 4, .onWindow = true }
    , m_title(plainLabel(QStringLiteral("strong"), this))
    , m_lock(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_remove(new QToolButton(this))
    , m_acquires(newMeasure(tr("Acquires per second"), tr("Of the last 10 s; the curve is of each second")))
    , m_waits(newMeasure(tr("Waits, p50 and p99"),
          tr("Of the waits that ended in the last 10 s half took up to the first, 99 of 100 up to the second; the "
             "curves "
             "are of each second. Each client measures its own, in its process.")))
    , m_fairness(newMeasure(tr("Fairness, Jain's index"),
          tr("Of the acquires of the last 10 s: 1 where all clients got as many, 1/n where one of n got all. A client "
             "that was away counts by what it got while it was there.")))
    , m_mishaps(plainLabel(QStringLiteral("small"), this))
    , m_ghosts(plainLabel(QStringLiteral("small"), this))
    , m_table(new DataTable(m_rows, clock, this))
{
    setProperty("role", QStringLiteral("card"));
    setAttribute(Qt::WA_StyledBackground);
    setMinimumWidth(LeastWidth);
    for (QLabel *label : { m_mishaps, m_ghosts })
        label->setWordWrap(true);
    setStyleProperty(*m_ghosts, "tone", QStringLiteral("danger"));
    m_ghosts->setToolTip(plainToolTip(
        tr("It was killed while it held the lock. Nobody has told Redis, which goes on naming it until its lease is "
           "over: that is known as a time at most, since it may have been renewed a little before its death.")));
    m_table->setProperty("role", QStringLiteral("panelTable"));
    m_table->setModel(&m_model);
    m_table->setItemDelegateForColumn(
        ContenderModel::Acquires, new ShareBarDelegate(m_rows, m_table, Tone::Accent, countText(888'888)));
    m_table->setColumnWidths({ { 5, 30 }, { 65, 128 }, { 30, 84 }, { 0, 60 } });
    m_table->setMinimumHeight(100);
    m_lock->setElideMode(Qt::ElideMiddle); // those of one play differ at their ends
    setFocusProxy(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (chosenClient())
            Q_EMIT clientChosen();
    });

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 8, 6);
    layout->setSpacing(2);
    layout->addWidget(buildHead());
    for (const Measure &measure : { m_acquires, m_waits, m_fairness }) {
        layout->addWidget(measure.head);
        layout->addWidget(measure.chart, 2);
    }
    auto *below = new QVBoxLayout; // what is told of clients comes and goes under their rows, and moves none of them
    below->setSpacing(2);
    below->addWidget(m_table, 1);
    below->addWidget(m_mishaps);
    below->addWidget(m_ghosts);
    layout->addLayout(below, 5);
}

QWidget *FreePlayCard::buildHead()
{
    auto *head = new QWidget(this);
    m_remove->setText(QStringLiteral("✕"));
    m_remove->setAutoRaise(true);
    m_remove->setProperty("role", QStringLiteral("status"));
    m_remove->setAccessibleName(tr("Remove this group"));
    m_remove->setToolTip(tr("Remove this group"));
    connect(m_remove, &QToolButton::clicked, this, &FreePlayCard::removeRequested);
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_lock, 1);
    layout->addWidget(m_remove);
    return head;
}

FreePlayCard::Measure FreePlayCard::newMeasure(const QString &title, const QString &explanation)
{
    auto *head = new QWidget(this);
    Measure measure{ head, plainLabel(QStringLiteral("small"), head), plainLabel(QStringLiteral("strong"), head),
        new CurveChart(m_theme, title, this) };
    auto *line = new QHBoxLayout(head);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(measure.title);
    line->addStretch(1);
    line->addWidget(measure.figure);
    measure.title->setText(title);
    for (QLabel *label : { measure.title, measure.figure })
        label->setToolTip(plainToolTip(explanation));
    return measure;
}

void FreePlayCard::setGroup(const GroupState &group, const QString &title, lockcore::MonoTime now, const Scale &scale)
{
    // The lock that a person has named stands beside it.
    m_title->setText(group.settings.byHand ? contendedText(group.settings.kind, group.settings.variant) : title);
    setAccessibleName(title);
    m_table->setAccessibleName(tr("Clients of: %1").arg(title));
    for (const Measure &measure : { m_acquires, m_waits, m_fairness }) { // a hand contends with nobody
        measure.head->setVisible(!group.settings.byHand);
        measure.chart->setVisible(!group.settings.byHand);
    }
    m_lock->setText(displayText(group.lock));
    const auto chosen = chosenClient();
    if (chosen && std::ranges::find(group.clients, *chosen, &lab::ContenderState::name) == group.clients.end()) {
        m_table->clearSelection(); // Qt would choose another in its place, which nobody has meant
        m_table->selectionModel()->clearCurrentIndex();
    }
    m_model.setGroup(group, now, scale.endedAt.has_value());
    const bool hasRun = !scale.endedAt || !group.lock.empty(); // else it was added after the end
    const auto mishaps = mishapText(group);
    m_mishaps->setText(
        !hasRun ? tr("Not played yet.") : mishaps.value_or(tr("Nobody lost a lock, gave up or crashed so far.")));
    const QString tone = mishaps ? QStringLiteral("warning") : QString();
    setStyleProperty(*m_mishaps, "tone", group.overlaps > 0 ? QStringLiteral("danger") : tone);
    m_mishaps->setToolTip(plainToolTip(
        group.overlaps > 0 ? tr(
            "A client got the lock while another, which had not been told of its loss, still went on as its holder: "
            "its lease was over.")
                           : QString()));
    const QString ghosts = scale.endedAt ? QString() : ghostText(group, now);
    m_ghosts->setText(ghosts);
    m_ghosts->setVisible(!ghosts.isEmpty());
    m_rows.stale = scale.endedAt.has_value();
    const auto endedAt = hasRun ? scale.endedAt : std::nullopt;
    showFigures(group.figures, scale, endedAt ? tr("stopped at %1").arg(clockText(*endedAt, *endedAt)) : QString());
}

void FreePlayCard::showFigures(const GroupFigures &figures, const Scale &scale, const QString &end)
{
    const bool isKnown = !figures.seconds.empty();
    m_acquires.figure->setText(isKnown ? rateText(figures.acquiresPerSecond) : QStringLiteral("–"));
    m_waits.figure->setText(microsText(figures.halfWait) + QStringLiteral(" · ") + microsText(figures.longWait));
    m_fairness.figure->setText(figures.fairness ? indexText(*figures.fairness) : QStringLiteral("–"));
    const auto scaleTextOf = [](double micros) { return scaleText(lockcore::Millis(std::llround(micros / 1'000))); };
    m_acquires.chart->setData(
        { .curves = { { tr("acquires"), Tone::Accent, true,
              curveOf(figures,
                  [](const SecondFigures &second) { return std::optional(static_cast<double>(second.acquires)); }) } },
            .seconds = scale.seconds,
            .most = scale.acquires,
            .end = end,
            .text = [](double value) { return rateText(value); } });
    m_waits.chart->setData(
        { .curves = { { tr("p99"), Tone::Waiting, false,
                          curveOf(figures, [](const SecondFigures &second) { return numberOf(second.longWait); }) },
              { tr("p50"), Tone::Fixed, true,
                  curveOf(figures, [](const SecondFigures &second) { return numberOf(second.halfWait); }) } },
            .seconds = scale.seconds,
            .least = LeastWait,
            .most = scale.wait,
            .isLogarithmic = true,
            .end = end,
            .text = scaleTextOf });
    m_fairness.chart->setData({ .curves = { { tr("Jain's index"), Tone::Good, false,
                                    curveOf(figures, [](const SecondFigures &second) { return second.fairness; }) } },
        .seconds = scale.seconds,
        .hasTimes = true,
        .end = end,
        .text = indexText });
}

void FreePlayCard::setChosen(bool chosen)
{
    setStyleProperty(*this, "chosen", chosen ? QStringLiteral("true") : QStringLiteral("false"));
}

void FreePlayCard::setRemovable(bool removable) { m_remove->setVisible(removable); }

std::optional<std::string> FreePlayCard::chosenClient() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? std::nullopt : std::optional(m_model.clientAt(rows.front().row()).name);
}

const lab::ContenderState *FreePlayCard::client(const std::string &name) const
{
    const int row = m_model.rowOf(name);
    return row < 0 ? nullptr : &m_model.clientAt(row);
}

void FreePlayCard::chooseNone() { m_table->clearSelection(); }

void FreePlayCard::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_table->setColumnShown(ContenderModel::LongWait, width() >= RoomForWaits);
}

/// Anywhere on it, its knobs are wanted.
void FreePlayCard::mousePressEvent(QMouseEvent *event)
{
    m_table->setFocus(Qt::MouseFocusReason);
    event->accept();
}

} // namespace lockui
