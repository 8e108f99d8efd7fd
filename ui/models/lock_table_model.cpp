// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_table_model.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/models/roles.h"
#include "ui/models/row_diff.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_tone.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using Column = LockTableModel::Column;

namespace {

bool isQuorumToldOf(const LockState &lock) { return lock.quorum && !lock.holders.empty(); }

QString displayed(const LockState &lock, Column column, MonoTime seenUntil, MonoTime now, const ClientNames *names)
{
    switch (column) {
    case Column::Name:
        return lockNameText(lock.name);
    case Column::KindColumn:
        return isQuorumToldOf(lock) ? shortText(*lock.quorum) + QStringLiteral(" · ") + kindText(lock) : kindText(lock);
    case Column::HolderColumn:
        return holderText(lock, names);
    case Column::Ttl: {
        if (isFree(lock))
            return QStringLiteral("–");
        const auto ttl = ttlAt(lock, seenUntil);
        return ttl ? ttlText(*ttl) : LockTableModel::tr("none");
    }
    case Column::LeaseColumn:
        return isFree(lock) ? QStringLiteral("–") : leaseText(lock.lease);
    case Column::HeldFor:
        return heldText(lock, seenUntil, now);
    case Column::LastChangeColumn:
        return changeText(lock, seenUntil);
    case Column::Waiting:
    case Column::ColumnCount:
        break;
    }
    return {};
}

/// What tells one from another: of a kind the mode and the number, of a change what and when.
QString shortened(const LockState &lock, Column column, MonoTime seenUntil)
{
    switch (column) {
    case Column::KindColumn: {
        const QString kind = shortKindText(lock);
        return isQuorumToldOf(lock) ? shortText(*lock.quorum) + QStringLiteral(" · ") + kind : kind;
    }
    case Column::LeaseColumn:
        return lock.lease == Lease::Fixed && !isFree(lock) ? LockTableModel::tr("fixed") : QString();
    case Column::LastChangeColumn:
        return shortChangeText(lock, seenUntil);
    default:
        return {};
    }
}

Tone textTone(const LockState &lock, Column column, MonoTime seenUntil)
{
    const bool free = isFree(lock);
    switch (column) {
    case Column::KindColumn:
        return isQuorumToldOf(lock) && toneOf(*lock.quorum) == Tone::Warning ? Tone::Warning : Tone::Normal;
    case Column::HolderColumn:
    case Column::LeaseColumn:
    case Column::HeldFor:
        return free ? Tone::Muted : Tone::Normal;
    case Column::Waiting:
        return waitingCount(lock).value_or(0) > 0 ? Tone::Waiting : Tone::Muted;
    case Column::LastChangeColumn: {
        const TtlState state = ttlState(lock, seenUntil);
        return state == TtlState::Late || state == TtlState::Expiring ? Tone::Warning : Tone::Muted;
    }
    default:
        return Tone::Normal;
    }
}

QVariant badgeTone(const LockState &lock)
{
    if (isFree(lock))
        return {};
    switch (lock.lease) {
    case Lease::Watchdog:
        return int(Tone::Accent);
    case Lease::Fixed:
        return int(Tone::Fixed);
    case Lease::Unknown:
        return int(Tone::Muted);
    }
    return {};
}

QString holdersList(const LockState &lock, const ClientNames *names)
{
    constexpr std::size_t Most = 12;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(Most, lock.holders.size()); ++i)
        lines << fullNamedOwner(lock.holders[i].owner, names);
    if (lock.holders.size() > Most)
        lines << QStringLiteral("…");
    return lines.join(QLatin1Char('\n'));
}

QString ownersOf(const LockState &lock)
{
    QStringList owners;
    for (const Holder &holder : lock.holders)
        owners << displayText(toString(holder.owner));
    return owners.join(QStringLiteral(", "));
}

QString toolTip(const LockState &lock, Column column, const ClientNames *names, bool atReplica)
{
    switch (column) {
    case Column::Name:
        return lockNameTip(lock.name);
    case Column::KindColumn:
        return isQuorumToldOf(lock) ? kindText(lock) + QStringLiteral(" · ") + quorumText(*lock.quorum)
                + QLatin1Char('\n') + whereText(lock) + QLatin1Char('\n') + quorumMeaning(lock)
                                    : kindText(lock);
    case Column::HolderColumn:
        return lock.holders.empty() ? LockTableModel::tr("free") : holdersList(lock, names);
    case Column::Ttl:
        return isFree(lock) || lock.expiresAt ? QString()
                                              : LockTableModel::tr("No time to live: it is never released by itself.");
    case Column::LeaseColumn:
        return isFree(lock) ? QString() : leaseProof(lock);
    case Column::Waiting:
        return waitingExplanation(lock, atReplica);
    default:
        return {};
    }
}

} // namespace

SortKey sortKeyOf(const LockState &lock, Column column)
{
    const auto ticks = [](MonoTime at) { return static_cast<std::int64_t>(at.time_since_epoch().count()); };
    const bool isHeld = !isFree(lock);
    switch (column) {
    case Column::KindColumn: {
        constexpr int ModeBits = 2;
        constexpr int HolderBits = 32;
        const auto mode = lock.mode ? 1 + static_cast<std::int64_t>(*lock.mode) : 0;
        const auto kind = (static_cast<std::int64_t>(lock.kind) << ModeBits) + mode;
        return { true, (kind << HolderBits) + static_cast<std::int64_t>(lock.holders.size()) };
    }
    case Column::HolderColumn:
        return { !lock.holders.empty(), 0 };
    case Column::Ttl:
        return { isHeld, ticks(lock.expiresAt.value_or(MonoTime::max())) };
    case Column::LeaseColumn:
        return { isHeld, static_cast<std::int64_t>(lock.lease) };
    case Column::Waiting:
        return { waitingCount(lock).has_value(), static_cast<std::int64_t>(waitingCount(lock).value_or(0)) };
    case Column::HeldFor:
        return { isHeld, -ticks(heldSince(lock).value_or(Since()).at) };
    case Column::LastChangeColumn:
        return { true, -ticks(lock.lastChange.at) };
    case Column::Name:
    case Column::ColumnCount:
        break;
    }
    return {};
}

bool LockTableModel::isLost(const LockState &lock) const { return isAmong(m_lost, lock); }

MonoTime LockTableModel::seenUntil(const LockState &lock) const { return m_seen.seenUntil(lock, m_clock.now()); }

bool LockTableModel::matches(const LockFilter &filter, const LockState &lock) const
{
    return lockui::matches(filter, m_seen, lock, m_clock.now());
}

void LockTableModel::setSight(std::shared_ptr<const Snapshot> snapshot)
{
    m_sight = std::move(snapshot);
    m_seen = m_sight ? SeenTimes(*m_sight) : SeenTimes();
}

LockTableModel::LockTableModel(const ViewClock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_clock(clock)
{
}

namespace {

RowDiff diffLocks(const LockList &before, const LockList &after)
{
    using Lock = LockTableModel::Lock;
    const auto byName = [](const Lock &a, const Lock &b) { return a->name < b->name; };
    const auto same = [](const Lock &a, const Lock &b) { return *a == *b; };
    return diffRows(before, after, byName, same);
}

} // namespace

void LockTableModel::setLocks(const LockList &locks)
{
    if (!m_keepsGone)
        return showLocks(locks);
    LockList::Changes kept;
    std::set<LockName> gone;
    for (const RowRange &range : diffLocks(m_locks, locks).removed) {
        for (int row = range.first; row < range.first + range.count; ++row) {
            kept[lockAt(row)->name] = lockAt(row);
            gone.insert(lockAt(row)->name);
        }
    }
    LockList all = locks;
    all.apply(kept);
    showLocks(all);
    setGone(std::move(gone));
}

void LockTableModel::keepGone(bool keep)
{
    m_keepsGone = keep;
    if (keep || m_gone.empty())
        return;
    LockList::Changes changes;
    for (const LockName &name : std::exchange(m_gone, {}))
        changes.emplace(name, nullptr);
    LockList there = m_locks;
    there.apply(changes);
    showLocks(there);
}

void LockTableModel::setGone(std::set<LockName> gone)
{
    std::swap(m_gone, gone);
    const auto changed = [this](const LockName &name) {
        if (const int row = rowOf(name); row >= 0)
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    };
    for (const LockName &name : m_gone)
        if (gone.erase(name) == 0)
            changed(name);
    for (const LockName &name : gone) // there again
        changed(name);
}

void LockTableModel::showLocks(const LockList &locks)
{
    const RowDiff diff = diffLocks(m_locks, locks);
    // Each run costs as much as the list is long, in every proxy: beyond some, starting afresh is cheaper.
    constexpr std::size_t MostRuns = 400;
    if (diff.removed.size() + diff.inserted.size() > MostRuns) {
        beginResetModel();
        m_locks = locks;
        endResetModel();
        return;
    }
    for (auto range = diff.removed.rbegin(); range != diff.removed.rend(); ++range) {
        LockList::Changes gone;
        for (int row = range->first; row < range->first + range->count; ++row)
            gone.emplace(lockAt(row)->name, nullptr);
        beginRemoveRows({}, range->first, range->first + range->count - 1);
        m_locks.apply(gone);
        endRemoveRows();
    }
    for (const RowRange &range : diff.inserted) {
        LockList::Changes come;
        for (auto lock = locks.begin() + range.first; lock != locks.begin() + range.first + range.count; ++lock)
            come.emplace((*lock)->name, *lock);
        beginInsertRows({}, range.first, range.first + range.count - 1);
        m_locks.apply(come);
        endInsertRows();
    }
    m_locks = locks;
    Q_EMIT locksTaken();
    for (const RowRange &range : diff.changed)
        Q_EMIT dataChanged(index(range.first, 0), index(range.first + range.count - 1, ColumnCount - 1));
}

void LockTableModel::clear()
{
    beginResetModel();
    m_suspects.clear();
    m_gone.clear();
    m_locks = {};
    endResetModel();
}

void LockTableModel::setSuspects(SuspectTitles suspects)
{
    std::swap(m_suspects, suspects);
    const auto changed = [this](const LockName &name) {
        if (const int row = rowOf(name); row >= 0)
            Q_EMIT dataChanged(index(row, Name), index(row, Name));
    };
    for (const auto &[name, words] : m_suspects) {
        const auto before = suspects.extract(name);
        if (before.empty() || before.mapped() != words)
            changed(name);
    }
    for (const auto &[name, words] : suspects) // no longer suspected
        changed(name);
}

QString LockTableModel::suspectsText(const LockState &lock) const
{
    const auto found = m_suspects.find(lock.name);
    return found == m_suspects.end() ? QString() : found->second;
}

void LockTableModel::setLostServers(std::set<std::string> servers)
{
    if (servers == m_lost)
        return;
    m_lost = std::move(servers);
    if (!m_locks.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), { StaleRole });
}

void LockTableModel::setClientNames(const ClientNames *names)
{
    m_names = names;
    const auto changed = [this] {
        if (!m_locks.empty())
            Q_EMIT dataChanged(index(0, HolderColumn), index(rowCount() - 1, HolderColumn));
    };
    if (names != nullptr)
        connect(names, &ClientNames::changed, this, changed);
    changed();
}

bool LockTableModel::areAllKnown() const { return !m_sight || lockui::areAllKnown(*m_sight); }

int LockTableModel::rowOf(const LockName &name) const
{
    const auto found = m_locks.lowerBound(name);
    return found != m_locks.end() && (*found)->name == name ? static_cast<int>(found - m_locks.begin()) : -1;
}

int LockTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_locks.size());
}

int LockTableModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LockTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    return data(*lockAt(index.row()), static_cast<Column>(index.column()), role);
}

QVariant LockTableModel::data(const LockState &lock, Column column, int role) const
{
    switch (role) {
    case MonoRole:
        return column == Name || (column == HolderColumn && !lock.holders.empty());
    case ClientNameRole: {
        const Holder *holder = column == HolderColumn ? holderNamed(lock) : nullptr;
        return holder != nullptr ? shownName(holder->owner, m_names) : QString();
    }
    case CopyRole:
        return column == HolderColumn && !lock.holders.empty() ? QVariant(ownersOf(lock)) : QVariant();
    case BytesRole:
        return QByteArray::fromStdString(lock.name);
    default:
        return isGone(lock.name) ? goneData(lock, column, role) : liveData(lock, column, role);
    }
}

QVariant LockTableModel::liveData(const LockState &lock, Column column, int role) const
{
    const MonoTime now = m_clock.now();
    const MonoTime seen = seenUntil(lock); // nothing is known of what it came to since
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        if (column == Waiting)
            return waitingText(lock, m_sight.get());
        return displayed(lock, column, seen, now, m_names);
    case Qt::ToolTipRole:
        if (column == Waiting && m_sight && mayWaitElsewhere(*m_sight, lock))
            return plainToolTip(
                waitingExplanation(lock, isAtReplica(lock)) + QLatin1Char('\n') + waitingElsewhereText());
        return plainToolTip(column == Name && m_suspects.contains(lock.name)
                ? lockNameTip(lock.name) + QLatin1Char('\n') + suspectsText(lock)
                : toolTip(lock, column, m_names, isAtReplica(lock)));
    case ShortTextRole:
        return shortened(lock, column, seen);
    case ToneRole:
        return int(textTone(lock, column, seen));
    case StaleRole:
        return isLost(lock);
    case StrongRole:
        return column == Waiting && waitingCount(lock).value_or(0) > 0;
    case ItalicRole:
        return column == Name ? lock.name.empty() // a lock may have the name that this is shown as
                              : column == LastChangeColumn && lock.lastChange.certainty == Certainty::Inferred;
    case TtlStateRole:
        return column == Ttl ? QVariant(int(ttlState(lock, seen))) : QVariant();
    case TtlRole:
        if (const auto ttl = ttlAt(lock, seen); ttl && column == Ttl)
            return qint64(ttl->count());
        return {};
    case FullTtlRole:
        return column == Ttl && lock.leaseSeen ? QVariant(qint64(lock.leaseSeen->count())) : QVariant();
    case BadgeToneRole:
        return column == LeaseColumn ? badgeTone(lock) : QVariant();
    case SuspectRole:
        return column == Name && m_suspects.contains(lock.name) ? QVariant(suspectsText(lock)) : QVariant();
    case Qt::AccessibleDescriptionRole:
        return column == Name ? suspectsText(lock) : QString();
    default:
        return {};
    }
}

/// What counts and changes is no longer known; who held it last is.
QVariant LockTableModel::goneData(const LockState &lock, Column column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        if (column == Ttl)
            return tr("gone");
        if (column == Waiting || column == HeldFor || column == LastChangeColumn
            || (column == HolderColumn && isCounter(lock.kind)))
            return QStringLiteral("–");
        return displayed(lock, column, m_clock.now(), m_clock.now(), m_names);
    case Qt::ToolTipRole:
        return plainToolTip(lockNameTip(lock.name) + QLatin1Char('\n') + tr("No longer in Redis."));
    case StaleRole:
        return true;
    case TtlStateRole:
        return int(TtlState::Free);
    default:
        return {};
    }
}

QVariant LockTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    // What matters comes first: the most waited for, the longest held; elsewhere it is the least that does.
    if (role == Qt::InitialSortOrderRole)
        return int(section == Waiting || section == HeldFor ? Qt::DescendingOrder : Qt::AscendingOrder);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Lock");
    case KindColumn:
        return tr("Kind");
    case HolderColumn:
        return tr("Holder");
    case Ttl:
        return tr("TTL");
    case LeaseColumn:
        return tr("Lease");
    case Waiting:
        return tr("Waiting");
    case HeldFor:
        return tr("Held for");
    case LastChangeColumn:
        return tr("Last change");
    default:
        return {};
    }
}

} // namespace lockui
