// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/holder_model.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

std::optional<Millis> timeLeft(const Holder &holder, MonoTime now)
{
    if (!holder.expiresAt)
        return std::nullopt;
    return std::max(Millis(0), std::chrono::duration_cast<Millis>(*holder.expiresAt - now));
}

} // namespace

std::vector<OwnerId> HolderModel::rowsOf(const LockState &lock) const
{
    std::vector<OwnerId> rows;
    for (const Holder &holder : lock.holders)
        rows.push_back(holder.owner);
    return rows;
}

int HolderModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

/// A name before the id: it is what people look for.
QString HolderModel::ownerText(const OwnerId &owner) const
{
    const QString name = names() != nullptr ? names()->nameOf(owner.client) : QString();
    const QString thread = owner.thread.empty() ? QString() : QStringLiteral(" : ") + displayText(owner.thread);
    const QString id = displayText(owner.client) + thread;
    return name.isEmpty() ? id : displayText(toBytes(name)) + QStringLiteral(" · ") + id;
}

/// Not beyond the end of its lease, where that is over and the lock is gone.
QString HolderModel::heldFor(const Holder &holder) const
{
    const MonoTime now = this->now();
    const MonoTime seen = seenUntil(now);
    if (!hasEnd() || seen < now)
        return sinceText(holder.since, seen, now);
    return sinceText(holder.since, std::min(now, holder.expiresAt.value_or(now)));
}

QString HolderModel::displayed(const Holder &holder, int column) const
{
    switch (column) {
    case Owner:
        return ownerText(holder.owner);
    case Holds:
        return QStringLiteral("×") + countText(holder.count);
    case Mode:
        return holder.mode ? modeText(*holder.mode) : QStringLiteral("–");
    case HeldFor:
        return heldFor(holder);
    case Ttl: {
        if (holder.expired)
            return tr("run out");
        const auto left = timeLeft(holder, seenUntil(now()));
        return left ? ttlText(*left) : tr("none");
    }
    default:
        return {};
    }
}

QString HolderModel::toolTip(const Holder &holder, int column) const
{
    switch (column) {
    case Owner:
        return holder.fromPort ? fullNamedOwner(holder.owner, names()) + QLatin1Char('\n')
                + tr("Not in the form that Redisson writes: from a port.")
                               : fullNamedOwner(holder.owner, names());
    case Holds:
        return tr("Holds by re-entry; released when all are given back.");
    case HeldFor: {
        const QString at = clockText(clock().wallAt(holder.since.at), clock().wallAt(now()));
        return holder.since.exact ? tr("since %1, seen").arg(at)
                                  : tr("since before %1: it was held already when first seen, or seen again").arg(at);
    }
    case Ttl:
        return !holder.expired ? QString()
            : lock().kind == Kind::FasterMulti
            ? tr("Its time has run out: it holds nothing any more, though it still stands in the hash.")
            : tr("All timeouts of this reader have run out; the hash still counts it.");
    default:
        return {};
    }
}

QVariant HolderModel::ttlData(const Holder &holder, int role) const
{
    switch (role) {
    case TtlStateRole:
        if (holder.expired)
            return int(lock().kind == Kind::FasterMulti ? TtlState::Free : TtlState::Expiring);
        return int(holder.expiresAt ? ttlState(lock(), seenUntil(now())) : TtlState::NoExpiry);
    case TtlRole:
        if (const auto left = timeLeft(holder, seenUntil(now())))
            return qint64(left->count());
        return {};
    case FullTtlRole:
        return lock().leaseSeen ? QVariant(qint64(lock().leaseSeen->count())) : QVariant();
    default:
        return {};
    }
}

QVariant HolderModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Holder &holder = lock().holders[placeOf(index)];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(holder, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(holder, index.column()));
    case MonoRole:
        return index.column() == Owner;
    case ToneRole:
        if (holder.expired)
            return int(lock().kind == Kind::FasterMulti ? Tone::Muted : Tone::Warning);
        return int(Tone::Normal);
    case BytesRole:
        return QByteArray::fromStdString(toString(holder.owner));
    default:
        return index.column() == Ttl ? ttlData(holder, role) : QVariant();
    }
}

QVariant HolderModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Owner:
        return tr("Client : thread");
    case Holds:
        return tr("Holds");
    case Mode:
        return tr("Mode");
    case HeldFor:
        return tr("Held for");
    case Ttl:
        return tr("TTL");
    default:
        return {};
    }
}

} // namespace lockui
