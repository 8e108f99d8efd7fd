// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/audit_model.h"

#include "lockcore/transport/clock.h"
#include "ui/models/roles.h"
#include "ui/support/theme.h"
#include "ui/text/audit_text.h"
#include "ui/text/client_names.h"
#include "ui/text/connection_url.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <compare>
#include <tuple>

namespace lockui {

using namespace lockcore;
using namespace lockcore::service;
using transport::wallNow;

namespace {

Tone toneOfState(AuditState state)
{
    switch (state) {
    case AuditState::Done:
        return Tone::Good;
    case AuditState::Refused:
    case AuditState::Interrupted:
    case AuditState::Other:
        return Tone::Warning;
    case AuditState::Failed:
    case AuditState::AnswerLost:
        return Tone::Danger;
    case AuditState::UnderWay:
        return Tone::Muted;
    }
    return Tone::Normal;
}

/// What a person has to look into: it failed, or nobody knows what came of it.
bool isToBeLookedInto(AuditState state)
{
    return state == AuditState::Failed || state == AuditState::AnswerLost || state == AuditState::Interrupted;
}

} // namespace

void AuditModel::take(const AuditReport &report)
{
    if (report.restarted)
        clear();
    for (const AuditEntryPtr &ended : report.news.ended) {
        if (ended->number >= m_log.size())
            continue;
        m_log[ended->number] = ended;
        showAnew(ended->number);
    }
    if (report.news.begun.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(report.news.begun.size()) - 1);
    for (const AuditEntryPtr &begun : report.news.begun) {
        m_log.push_back(begun);
        m_entries.push_back(asOfMoment(begun));
        m_searched.push_back(AuditFilter::searchedText(*m_entries.back()));
    }
    endInsertRows();
}

void AuditModel::clear()
{
    if (m_log.empty())
        return;
    beginResetModel();
    m_log.clear();
    m_entries.clear();
    m_searched.clear();
    endResetModel();
}

void AuditModel::showAnew(std::size_t number)
{
    m_entries[number] = asOfMoment(m_log[number]);
    m_searched[number] = AuditFilter::searchedText(*m_entries[number]);
    const int row = rowOf(number);
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

AuditEntryPtr AuditModel::asOfMoment(const AuditEntryPtr &entry) const
{
    if (!entry->outcome || !isAfterMoment(entry->outcome->at))
        return entry;
    auto open = std::make_shared<AuditEntry>(*entry);
    open->outcome.reset();
    open->lines.resize(std::min<std::size_t>(open->lines.size(), 1)); // that of the intent
    return open;
}

void AuditModel::showMoment(std::optional<WallTime> moment)
{
    if (moment == m_moment)
        return;
    const auto isPassed = [&](const std::optional<WallTime> &at) {
        const bool wasAfter = isAfterMoment(at);
        return wasAfter != (moment && at && *at > *moment);
    };
    std::vector<std::size_t> ended; // or not any more
    bool isChanged = m_moment.has_value() != moment.has_value();
    for (std::size_t number = 0; number < m_log.size(); ++number) {
        const AuditEntry &entry = *m_log[number];
        isChanged = isChanged || isPassed(entry.begunAt);
        if (entry.outcome && isPassed(entry.outcome->at))
            ended.push_back(number);
    }
    m_moment = moment;
    for (const std::size_t number : ended)
        showAnew(number);
    if (isChanged || !ended.empty())
        Q_EMIT momentChanged();
}

WallTime AuditModel::now() const { return m_moment.value_or(wallNow()); }

bool AuditModel::isLater(int row) const { return isAfterMoment(entryAt(row).begunAt); }

int AuditModel::begunByThen() const
{
    return static_cast<int>(
        std::ranges::count_if(m_log, [this](const AuditEntryPtr &entry) { return !isAfterMoment(entry->begunAt); }));
}

void AuditModel::lookAtTheTime()
{
    constexpr Millis LongAgo{ 120'000 }; // what has no outcome from then on is known to be interrupted
    const WallTime since = now() - LongAgo;
    for (int row = 0; row < rowCount() && entryAt(row).begunAt > since; ++row) {
        if (!entryAt(row).outcome)
            Q_EMIT dataChanged(index(row, Outcome), index(row, Outcome));
    }
}

void AuditModel::setClientNames(const ClientNames *names)
{
    m_names = names;
    if (names != nullptr)
        connect(names, &ClientNames::changed, this, &AuditModel::changed);
    changed();
}

void AuditModel::changed()
{
    if (!m_entries.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int AuditModel::rowOf(std::size_t number) const
{
    return number < m_entries.size() ? static_cast<int>(m_entries.size() - 1 - number) : -1;
}

int AuditModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int AuditModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString AuditModel::displayed(const AuditEntry &entry, int column) const
{
    switch (column) {
    case When:
        return entry.begunAt ? clockText(*entry.begunAt, now()) : tr("unknown");
    case Action:
        return actionText(entry);
    case Lock:
        return lockNameText(entry.lock);
    case Target:
        return shortTargetText(entry, m_names);
    case Outcome:
        return auditOutcomeText(entry, now(), m_names);
    case Person:
        return auditPersonText(entry);
    case Where:
        return auditWhereText(entry);
    case Reason:
        return displayText(entry.reason);
    default:
        return {};
    }
}

/// What the client is called that is aimed at first.
static QString targetName(const AuditEntry &entry, const ClientNames *names)
{
    const std::optional<OwnerId> owner = entry.waiter ? entry.waiter
        : entry.byHand                                ? std::optional(entry.byHand->owner)
        : entry.expected.empty()                      ? std::nullopt
                                                      : std::optional(entry.expected.front().owner);
    return owner ? shownName(*owner, names) : QString();
}

QVariant AuditModel::whole(const AuditEntry &entry, int column) const
{
    switch (column) {
    case Lock:
        return copyText(entry.lock);
    case Target:
        return copyText(auditTarget(entry));
    case Reason:
        return copyText(entry.reason);
    default:
        return {};
    }
}

QString AuditModel::toolTip(const AuditEntry &entry, int column) const
{
    switch (column) {
    case When:
        return entry.begunAt ? zonedText(*entry.begunAt) : QString();
    case Target:
        return ownerTexts(entry.expected, m_names).join(QLatin1Char('\n'));
    case Where:
        return auditWhereText(entry);
    case Outcome: {
        const QString meaning = auditStateExplanation(entry, now());
        return meaning.isEmpty() ? meaning : auditOutcomeText(entry, now(), m_names) + QLatin1Char('\n') + meaning;
    }
    default:
        return {};
    }
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const AuditEntry &entry = entryAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(entry, column);
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(entry, column));
    case MonoRole:
        return column == When || column == Lock || column == Target || column == Where;
    case ToneRole:
        if (column == Outcome)
            return int(toneOfState(stateOf(entry, now())));
        if (column == Where && isProductionTag(QString::fromStdString(entry.connection.environment)))
            return int(Tone::Danger);
        return int(column == Target || column == Where ? Tone::Muted : Tone::Normal);
    case SuspectRole:
        if (column == Outcome && isToBeLookedInto(stateOf(entry, now())))
            return auditStateText(entry, now());
        return {};
    case StrongRole:
        return column == Outcome && isToBeLookedInto(stateOf(entry, now()));
    case ClientNameRole:
        return column == Target ? targetName(entry, m_names) : QString();
    case CopyRole:
        return whole(entry, column);
    case BytesRole:
        return column == Lock ? QVariant(QByteArray::fromStdString(entry.lock)) : QVariant();
    default:
        return {};
    }
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::InitialSortOrderRole)
        return int(section == When || section == Outcome ? Qt::DescendingOrder : Qt::AscendingOrder);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case When:
        return tr("When");
    case Action:
        return tr("Action");
    case Lock:
        return tr("Lock");
    case Target:
        return tr("Aimed at");
    case Outcome:
        return tr("Outcome");
    case Person:
        return tr("Who");
    case Where:
        return tr("Where");
    case Reason:
        return tr("Reason");
    default:
        return {};
    }
}

namespace {

/// By raw values: there may be very many.
std::weak_ordering compare(const AuditEntry &a, const AuditEntry &b, int column, WallTime now)
{
    switch (column) {
    case AuditModel::Action:
        return a.action <=> b.action;
    case AuditModel::Lock:
        return a.lock <=> b.lock;
    case AuditModel::Target:
        return auditTarget(a) <=> auditTarget(b);
    case AuditModel::Outcome:
        return stateOf(a, now) <=> stateOf(b, now);
    case AuditModel::Person:
        return std::tie(a.user, a.host) <=> std::tie(b.user, b.host);
    case AuditModel::Where:
        return std::tie(a.connection.environment, a.connection.name, a.endpoint)
            <=> std::tie(b.connection.environment, b.connection.name, b.endpoint);
    case AuditModel::Reason:
        return a.reason <=> b.reason;
    default:
        return std::weak_ordering::equivalent;
    }
}

} // namespace

AuditProxy::AuditProxy(AuditModel &model, QObject *parent)
    : QSortFilterProxyModel(parent)
    , m_model(model)
{
    setSourceModel(&model);
    connect(&model, &AuditModel::momentChanged, this, &AuditProxy::invalidate);
}

void AuditProxy::setFilter(AuditFilter filter)
{
    m_filter = std::move(filter);
    invalidateFilter();
}

void AuditProxy::show(Show which)
{
    m_show = which;
    invalidateFilter();
}

const AuditEntry &AuditProxy::entryAt(int row) const { return m_model.entryAt(mapToSource(index(row, 0)).row()); }

QModelIndex AuditProxy::indexOf(std::size_t number) const
{
    const int row = m_model.rowOf(number);
    return row < 0 ? QModelIndex() : mapFromSource(m_model.index(row, 0));
}

bool AuditProxy::filterAcceptsRow(int row, const QModelIndex &) const
{
    if (m_model.isLater(row))
        return false;
    const AuditEntry &entry = m_model.entryAt(row);
    if (m_show == Show::Mine && (entry.user != auditUser() || entry.host != auditHost()))
        return false;
    if (m_show == Show::NotDone && stateOf(entry, m_model.now()) == AuditState::Done)
        return false;
    return m_filter.isEmpty() || m_filter.matches(entry, m_model.searchedTextAt(row), m_model.now());
}

bool AuditProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const AuditEntry &a = m_model.entryAt(left.row());
    const AuditEntry &b = m_model.entryAt(right.row());
    const auto order = compare(a, b, left.column(), m_model.now());
    return order == 0 ? a.number < b.number : order < 0; // as they stand in the log, whatever the clocks said
}

} // namespace lockui
