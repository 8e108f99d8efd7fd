// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/watch.h"

#include "app/common/words.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"
#include "app/lockctl/one_sweep.h"
#include "app/lockctl/table.h"
#include "lockcore/transport/clock.h"

#include <QDateTime>

namespace lockctl {

using app::Words;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::monitor::LockState;
using lockcore::monitor::SourcePhase;
using lockcore::service::Monitor;

namespace {

/// What a filter can go by when the lock itself is gone.
LockState asFarAsTold(const Event &event)
{
    LockState lock;
    lock.name = event.lock;
    lock.kind = event.lockKind.value_or(lock.kind);
    if (event.owner) {
        lock.holders.push_back({});
        lock.holders.front().owner = *event.owner;
    }
    return lock;
}

} // namespace

std::string eventText(const Event &event)
{
    std::string text = QDateTime::fromMSecsSinceEpoch(event.at.time_since_epoch().count())
                           .toString(QStringLiteral("HH:mm:ss.zzz"))
                           .toStdString();
    text += std::string("  ") + nameOf(event.kind) + "  " + lockui::printable(event.lock);
    if (event.owner)
        text += "  " + lockui::printable(toString(*event.owner));
    if (event.count && *event.count > 1)
        text += " ×" + std::to_string(*event.count);
    if (event.ttl)
        text += "  "
            + (event.kind == EventKind::Gap ? Words::tr("for %1") : Words::tr("TTL %1"))
                  .arg(lockui::ttlText(*event.ttl))
                  .toStdString();
    if (event.certainty == lockcore::monitor::Certainty::Inferred)
        text += "  " + Words::tr("(inferred)").toStdString();
    return text;
}

Watch::Watch(WatchRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_monitor(monitorOptions(globals))
{
    connect(&m_monitor, &Monitor::snapshotReady, this, &Watch::followConnection);
    connect(&m_reader, &ReaderWatch::gone, this, [this] { Q_EMIT finished(app::Done); });
}

void Watch::start(const lockcore::transport::Deployment &deployment)
{
    if (!m_asJson && terminalSize())
        m_table.emplace(m_monitor, m_request.filter);
    else
        connect(&m_monitor, &Monitor::eventsReported, this, [this](const lockcore::monitor::EventList &events) {
            for (const Event &event : *events)
                report(event);
        });
    m_monitor.setFeed(m_request.feed);
    m_monitor.open(deployment);
}

void Watch::report(const Event &event)
{
    if (isWanted(event) && !printLine(m_asJson ? json::line(eventJson(event)) : eventText(event)))
        Q_EMIT finished(app::Done);
}

bool Watch::isWanted(const Event &event) const
{
    if (m_request.filter.isEmpty() || event.lock.empty())
        return true;
    const auto snapshot = m_monitor.latest();
    const LockState *lock = findLock(*snapshot, event.lock);
    const LockState gone = asFarAsTold(event);
    return m_request.filter.matches(lock != nullptr ? *lock : gone, lockcore::transport::monoNow());
}

void Watch::followConnection()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::monitor::SourceStatus &status = snapshot->status;
    const lockcore::Error error = status.error.value_or(lockcore::Error());
    if (!m_table) {
        m_note.tell(status);
        m_note.tellFeed(status);
    }
    if (status.phase == SourcePhase::Failed && !StatusNote::isOpen(status)) {
        m_table.reset();
        m_note.tell(status);
        fail(error);
    } else if (!m_table) {
        m_note.tellLoss(status);
    }
}

} // namespace lockctl
