// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/holder_list.h"

#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

QString factsOf(const LockState &lock, MonoTime now)
{
    QStringList facts;
    const auto ttl = ttlAt(lock, now);
    if (lock.holders.size() > 1)
        facts << (ttl ? HoldersView::tr("%1 to live in all").arg(ttlText(*ttl)) : HoldersView::tr("never expires"));
    if (!lock.holders.empty())
        facts << leaseProof(lock) << HoldersView::tr("held %1").arg(heldText(lock, now, now));
    return facts.join(QStringLiteral(" · "));
}

} // namespace

HoldersView::HoldersView(const ClientNames &names, QString titleWhenDone, QWidget *parent)
    : QWidget(parent)
    , m_names(names)
    , m_titleWhenDone(std::move(titleWhenDone))
    , m_title(plainLabel(QStringLiteral("section"), this))
    , m_seen(new HolderList(names, this))
    , m_facts(plainLabel(QStringLiteral("small"), this))
    , m_change(buildChange())
{
    m_seen->setAccessibleName(tr("Holders as you saw them"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(4);
    for (QWidget *widget : std::initializer_list<QWidget *>{ m_title, m_seen, m_facts, m_change })
        layout->addWidget(widget);
}

QWidget *HoldersView::buildChange()
{
    auto *change = new QWidget(this);
    m_nowTitle = plainLabel(QStringLiteral("section"), change);
    m_now = new HolderList(m_names, change);
    m_now->setAccessibleName(tr("Holders now"));
    auto *again = new QPushButton(tr("&Look again"), change);
    again->setAutoDefault(false);
    again->setToolTip(plainToolTip(tr("Takes the holders of now as those to act on")));
    connect(again, &QPushButton::clicked, this, &HoldersView::lookAgainChosen);
    auto *layout = new QVBoxLayout(change);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_nowTitle);
    layout->addWidget(m_now);
    layout->addSpacing(2);
    layout->addWidget(again, 0, Qt::AlignLeft);
    return change;
}

void HoldersView::show(const SeenLock &lock, bool done, MonoTime now)
{
    const bool same = !done && lock.sight() == SeenLock::Sight::Same;
    const bool isHeld = lock.sight() != SeenLock::Sight::Free && lock.sight() != SeenLock::Sight::Gone;
    const bool changed = !done && !same && isHeld;
    const bool counts = same && lock.isLive();
    m_title->setText(done ? m_titleWhenDone : same ? tr("Held by") : tr("You saw"));
    // Where the same hold it, it is their end that differs.
    const bool isEndOther = changed && lock.isLive() && lock.current()
        && expectedHolders(*lock.current()) == expectedHolders(lock.seen());
    if (counts)
        m_seen->show(lock.shown(), lock.seen(), now);
    else
        m_seen->showSeen(lock.shown(), isEndOther ? std::optional(now) : std::nullopt);
    m_facts->setText(counts ? factsOf(lock.shown(), now) : QString());
    m_facts->setVisible(counts);
    m_change->setVisible(changed);
    m_nowTitle->setText(lock.isLive() ? tr("Now it is held by") : tr("When last read it was held by"));
    if (lock.current())
        m_now->show(*lock.current(), lock.seen(), lock.isLive() ? std::optional(now) : std::nullopt);
}

int HoldersView::heightOfChange() const { return m_change->sizeHint().height() - m_facts->sizeHint().height(); }

namespace {

constexpr qsizetype MostHolderLines = 6;
constexpr qsizetype MostLetters = 54; // of an owner in one line with its holds and its time, where that is narrowest

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

/// As if nothing had changed since.
QString wouldHaveText(const Holder &holder, MonoTime now)
{
    if (holder.expired)
        return HolderList::tr("run out");
    if (!holder.expiresAt)
        return HolderList::tr("would never expire");
    const auto left = std::chrono::duration_cast<Millis>(*holder.expiresAt - now);
    return left > Millis(0) ? HolderList::tr("would have %1 left").arg(ttlText(left))
                            : HolderList::tr("would have run out");
}

/// What the same holder was seen with; null: it was not.
const Holder *sameIn(const LockState &seen, const Holder &holder)
{
    const auto found = std::ranges::find_if(
        seen.holders, [&](const Holder &each) { return each.owner == holder.owner && each.mode == holder.mode; });
    return found == seen.holders.end() ? nullptr : &*found;
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
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // what is left over lies below all texts
}

void HolderList::show(const LockState &lock, const LockState &seen, std::optional<MonoTime> now)
{
    fill(lock, [&](const Holder &holder) -> Line {
        QString hold = holdText(holder.count, holder.mode);
        if (const Holder *before = sameIn(seen, holder); before != nullptr && before->count != holder.count)
            hold += tr(" (×%1 when you looked)").arg(countText(before->count));
        return { hold, now ? timeText(holder, *now) : QString() };
    });
}

void HolderList::showSeen(const LockState &seen, std::optional<MonoTime> now)
{
    fill(seen, [&](const Holder &holder) -> Line {
        return { holdText(holder.count, holder.mode), now ? wouldHaveText(holder, *now) : QString() };
    });
}

void HolderList::fill(const LockState &lock, const std::function<Line(const Holder &)> &lineOf)
{
    QStringList owners;
    QStringList holds;
    QStringList times;
    for (const Holder &holder : lock.holders) {
        const QString owner = fullNamedOwner(holder.owner, &m_names);
        const Line line = lineOf(holder);
        holds << line.hold;
        times << line.time;
        if (owner.size() <= MostLetters || m_names.nameOf(holder.owner.client).isEmpty()) {
            owners << owner;
            continue;
        }
        const QString id = fullOwner(holder.owner);
        owners << id << QStringLiteral("  ") + owner.mid(id.size()).trimmed(); // the name in a line of its own
        holds << QString();
        times << QString();
    }
    m_owners->setText(owners.isEmpty() ? tr("nobody") : owners.join(QLatin1Char('\n')));
    m_holds->setText(holds.join(QLatin1Char('\n')));
    m_times->setText(times.join(QLatin1Char('\n')));
    fitHeight();
}

void HolderList::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    fitHeight(); // whether there is a scroll bar below is known only now
}

void HolderList::fitHeight()
{
    const qsizetype lines = m_owners->text().count(QLatin1Char('\n')) + 1;
    const int line = m_owners->sizeHint().height() / static_cast<int>(lines);
    const bool wide = widget()->minimumSizeHint().width() > viewport()->width();
    setFixedHeight(line * static_cast<int>(std::min(lines, MostHolderLines)) + 4
        + (wide ? horizontalScrollBar()->sizeHint().height() : 0));
}

QString holderLines(const std::vector<HolderReading> &holders, const ClientNames &names)
{
    return lines(holders, names);
}

QString holderLines(const LockState &lock, const ClientNames &names) { return lines(lock.holders, names); }

} // namespace lockui
