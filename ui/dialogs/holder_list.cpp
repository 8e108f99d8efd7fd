// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/holder_list.h"

#include "ui/support/client_names.h"
#include "ui/support/display_text.h"
#include "ui/support/lock_text.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <algorithm>

namespace lockui {

using namespace lockcore;

namespace {

constexpr qsizetype MostHolderLines = 6;

QString holdText(std::int64_t count, std::optional<HoldMode> mode)
{
    const QString times = QStringLiteral("×") + countText(count);
    return mode ? modeText(*mode) + QLatin1Char(' ') + times : times;
}

QString timeText(const Holder &holder, MonoTime now)
{
    if (holder.expired)
        return holder.mode ? HolderList::tr("run out, still counted") : HolderList::tr("run out");
    if (!holder.expiresAt)
        return HolderList::tr("never expires");
    const auto left = std::chrono::duration_cast<Millis>(*holder.expiresAt - now);
    return HolderList::tr("%1 left").arg(ttlText(std::max(left, Millis(0))));
}

template <typename Holders>
QString lines(const Holders &holders, const ClientNames &names)
{
    QStringList lines;
    for (const auto &holder : holders)
        lines << fullNamedOwner(holder.owner, &names) + QStringLiteral("   ") + holdText(holder.count, holder.mode);
    if (lines.size() > MostHolderLines) {
        const auto more = static_cast<qint64>(lines.size() - MostHolderLines + 1);
        lines = lines.first(MostHolderLines - 1) << HolderList::tr("and %1 more").arg(countText(more));
    }
    return lines.isEmpty() ? HolderList::tr("nobody") : lines.join(QLatin1Char('\n'));
}

} // namespace

HolderList::HolderList(const ClientNames &names, QWidget *parent)
    : QScrollArea(parent)
    , m_names(names)
{
    auto *content = new QWidget(this);
    m_owners = plainLabel(QStringLiteral("mono"), content);
    m_owners->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_holds = plainLabel(QStringLiteral("mono"), content);
    m_times = plainLabel(QStringLiteral("mono"), content);
    m_times->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(16);
    layout->addWidget(m_owners);
    layout->addWidget(m_holds);
    layout->addStretch();
    layout->addWidget(m_times);
    setWidget(content);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
}

void HolderList::show(const LockState &lock, std::optional<MonoTime> now)
{
    QStringList owners;
    QStringList holds;
    QStringList times;
    for (const Holder &holder : lock.holders) {
        owners << fullNamedOwner(holder.owner, &m_names);
        holds << holdText(holder.count, holder.mode);
        if (now)
            times << timeText(holder, *now);
    }
    m_owners->setText(owners.isEmpty() ? tr("nobody") : owners.join(QLatin1Char('\n')));
    m_holds->setText(holds.join(QLatin1Char('\n')));
    m_times->setText(times.join(QLatin1Char('\n')));
    fitHeight(std::max<qsizetype>(1, owners.size()));
}

void HolderList::fitHeight(qsizetype lines)
{
    const int line = m_owners->sizeHint().height() / static_cast<int>(m_owners->text().count(QLatin1Char('\n')) + 1);
    const bool wide = m_owners->sizeHint().width() > viewport()->width();
    setFixedHeight(line * static_cast<int>(std::min(lines, MostHolderLines)) + 4
        + (wide ? horizontalScrollBar()->sizeHint().height() : 0));
}

QString holderLines(const std::vector<HolderReading> &holders, const ClientNames &names)
{
    return lines(holders, names);
}

QString holderLines(const LockState &lock, const ClientNames &names) { return lines(lock.holders, names); }

} // namespace lockui
