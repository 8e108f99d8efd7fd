// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/histogram_card.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

namespace lockui {

using namespace lockcore;

HistogramCard::HistogramCard(const QString &title, const Theme &theme, Tone tone, Source source, QWidget *parent)
    : QWidget(parent)
    , m_source(std::move(source))
    , m_chart(new HistogramChart(theme, tone, this))
    , m_note(new ElidedLabel(QStringLiteral("statusLine"), this))
{
    setProperty("role", QStringLiteral("card"));
    setAttribute(Qt::WA_StyledBackground);
    m_chart->setAccessibleName(title);
    QLabel *name = plainLabel(QStringLiteral("section"), this);
    name->setText(title);
    auto *head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(name);
    head->addStretch(1);
    m_all = addSwitch(*head, tr("all locks"), false);
    m_one = addSwitch(*head, tr("chosen lock"), true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_note);
    layout->addWidget(m_chart, 1);
    showSwitch();
}

QToolButton *HistogramCard::addSwitch(QLayout &layout, const QString &text, bool ofChosen)
{
    auto *button = new QToolButton(this);
    button->setProperty("role", QStringLiteral("kind"));
    button->setText(text);
    button->setAccessibleName(tr("%1: %2", "a chart, of which locks").arg(m_chart->accessibleName(), text));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, ofChosen] {
        showSwitch(); // it stays pressed
        Q_EMIT ofChosenLockWanted(ofChosen);
    });
    layout.addWidget(button);
    return button;
}

void HistogramCard::showSwitch()
{
    m_all->setChecked(!isOfChosen());
    m_one->setChecked(isOfChosen());
    m_one->setEnabled(m_lock.has_value());
    m_one->setToolTip(plainToolTip(m_lock ? tr("Only %1").arg(lockNameText(*m_lock))
                                          : tr("No lock is chosen: choose one here or on any other page.")));
}

void HistogramCard::setChosenLock(const std::optional<LockName> &lock)
{
    m_lock = lock;
    showSwitch();
}

void HistogramCard::setOfChosenLock(bool isWanted)
{
    m_ofChosen = isWanted;
    showSwitch();
}

void HistogramCard::show(const Range &range)
{
    constexpr int LongestName = 60;
    const bool isOne = isOfChosen();
    const auto in = [&](WallTime from, WallTime to) {
        return isOne ? m_source.of(*m_lock, from, to) : DurationsOfLock{ m_source.all(from, to), from };
    };
    const DurationsOfLock durations = in(range.from, range.to);
    std::optional<DurationHistogram> before;
    if (range.before) {
        const DurationsOfLock known = in(*range.before, range.from);
        if (known.since <= *range.before)
            before = known.histogram;
    }
    QString note = m_source.countText(durations.histogram.total());
    QString since = clockText(durations.since, range.now);
    since.truncate(since.indexOf(u'.') < 0 ? since.size() : since.indexOf(u'.')); // whole seconds are enough
    if (isOne)
        note = tr("%1 of %2 since %3").arg(note, lockNameText(*m_lock, LongestName), since);
    if (before)
        note += QStringLiteral(" · ") + tr("%1 in the range before").arg(countText(before->total()));
    m_note->setText(note);
    m_chart->setEmptyText(isOne ? m_source.neverText(*m_lock) : QString());
    m_chart->setHistogram(durations.histogram, before);
}

} // namespace lockui
