// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/event_model.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"

/// What the rows of events say.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

QVariant copiedOwner(const Event &event)
{
    return event.owner ? QVariant(displayText(toString(*event.owner))) : QVariant();
}

} // namespace

/// A gap has a beginning, too.
QString EventModel::timeText(const Event &event, bool isWhole) const
{
    const WallTime now = m_clock.wallAt(m_clock.now());
    QString at = clockText(event.at, now);
    if (event.kind == EventKind::SlowCommand)
        return at.section(QLatin1Char('.'), 0, 0); // a slow log knows whole seconds
    if (event.kind != EventKind::Gap || !event.ttl || !isWhole)
        return at;
    return clockText(event.at - *event.ttl, now) + QStringLiteral(" – ") + at;
}

QVariant EventModel::shortNameText(const Row &row) const
{
    const EventStore::Record &record = this->record(row.place);
    if (record.certainty != Certainty::Inferred)
        return {};
    const QString text = shortEventText(record.kind, record.certainty);
    const bool isSeveral = row.place == row.fold && record.runLength > 1;
    return isSeveral ? text + QStringLiteral(" ×") + countText(record.runLength) : text;
}

QString EventModel::displayed(const Row &row, int column) const
{
    const Event event = m_store.event(row.place);
    const bool isFold = row.place == row.fold;
    switch (column) {
    case Time:
        return timeText(event, true);
    case What:
        return eventText(event, isFold ? record(row.place).runLength : 1);
    case Lock:
        return isOfServer(event.kind) || event.kind == EventKind::Gap ? QString() : lockNameText(event.lock);
    case Owner:
        return event.owner ? namedOwner(*event.owner, m_names) : QString();
    case Meaning:
        return eventMeaning(event, isFold ? m_store.contextOf(row.place) : EventContext());
    default:
        return {};
    }
}

QString EventModel::toolTip(const Row &row, int column) const
{
    const Event event = m_store.event(row.place);
    if (column == Time && event.kind == EventKind::Gap)
        return timeText(event, true);
    if (column == Owner && event.owner)
        return fullNamedOwner(*event.owner, m_names);
    if (column == What && event.certainty == Certainty::Inferred)
        return eventText(event) + QLatin1Char('\n')
            + tr("Inferred: the likeliest explanation of what was read. It was not seen as such.");
    if (column == What && event.certainty == Certainty::Recorded)
        return eventText(event) + QLatin1Char('\n')
            + tr("Recorded in the audit log of this computer: it tells who did that. It was not seen as such.");
    if (column == Lock && !event.node.empty() && m_store.record(row.place).lock != TextTable::None)
        return lockNameText(event.lock) + QLatin1Char('\n') + tr("on %1").arg(displayText(event.node));
    return {};
}

Tone EventModel::tone(const Row &row, int column) const
{
    if (column != What && column != Meaning)
        return row.place == row.fold ? Tone::Normal : Tone::Muted;
    switch (record(row.place).kind) {
    case EventKind::Acquired:
    case EventKind::Reentered:
        return column == What ? Tone::Accent : Tone::Muted;
    case EventKind::Released:
    case EventKind::PartlyReleased:
        return column == What ? Tone::Good : Tone::Muted;
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Deleted:
        return Tone::Danger;
    case EventKind::FoundQueued:
    case EventKind::Queued:
    case EventKind::Dequeued:
        return Tone::Waiting;
    case EventKind::WaiterTimedOut:
        return Tone::Warning;
    case EventKind::Gap:
        return Tone::Normal;
    case EventKind::MasterChanged:
    case EventKind::ServerRestarted:
    case EventKind::DatabaseEmptied:
    case EventKind::DatabasesSwapped:
        return Tone::Danger;
    case EventKind::SlowCommand:
    case EventKind::ClientsPaused:
        return Tone::Warning;
    case EventKind::Appeared:
    case EventKind::Renewed:
    case EventKind::PermitsChanged:
    case EventKind::CountChanged:
        break;
    }
    return Tone::Muted;
}

QVariant EventModel::fold(const Row &row) const
{
    if (row.place != row.fold)
        return int(Fold::Part);
    if (record(row.place).runLength < 2)
        return {};
    return int(m_open.contains(runBegin(row.place)) ? Fold::Open : Fold::Closed);
}

QVariant EventModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_store.has(row(index.row()).place))
        return {};
    const Row &row = this->row(index.row());
    const EventStore::Record &record = this->record(row.place);
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(row, column);
    case ShortTextRole:
        return column == Time ? timeText(m_store.event(row.place), false)
            : column == What  ? shortNameText(row)
                              : QVariant();
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(row, column));
    case MonoRole:
        return column == Time || column == Lock || column == Owner;
    case ItalicRole:
        return record.certainty != Certainty::Seen && (column == What || column == Meaning);
    case StrongRole:
        return column == Lock && record.lock != TextTable::None && m_store.lockName(record) == m_chosenLock;
    case ToneRole:
        return int(tone(row, column));
    case FoldRole:
        return fold(row);
    case UnseenRole:
        return record.kind == EventKind::Gap;
    case ClientNameRole: {
        const Event event = column == Owner ? m_store.event(row.place) : Event();
        return event.owner ? shownName(*event.owner, m_names) : QString();
    }
    case CopyRole:
        return column == Owner ? copiedOwner(m_store.event(row.place)) : QVariant();
    case BytesRole:
        return QByteArray::fromStdString(m_store.lockName(record));
    default:
        return {};
    }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time");
    case What:
        return tr("Event");
    case Lock:
        return tr("Lock");
    case Owner:
        return tr("Owner");
    case Meaning:
        return tr("Meaning");
    default:
        return {};
    }
}

} // namespace lockui
