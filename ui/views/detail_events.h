// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/event_model.h"
#include "ui/views/cell_delegates.h"

#include <QWidget>

#include <optional>
#include <string>

class QLabel;

namespace lockui {

class ClientNames;
class EventTable;

/// The newest events of one lock, and the times in which nothing was seen of it.
class DetailEvents : public QWidget {
    Q_OBJECT
public:
    DetailEvents(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent = nullptr);

    void setLock(const lockcore::LockName &lock, const std::string &node);
    void setClientNames(const ClientNames &names) { m_events.setClientNames(&names); }
    void setRoom(bool isRoom); // what is of now comes first: in a low window events are on their page alone
    void refresh(); // with the clock

    EventTable &table() const { return *m_table; }
    EventModel &model() { return m_events; }

private:
    std::optional<lockcore::MonoTime> frozenAt() const; // absent: the clock runs

    const ViewClock &m_clock;
    const EventStore &m_store;
    lockcore::LockName m_lock;
    std::string m_node;
    bool m_hasDamaged = false; // the store, when that was told
    std::optional<lockcore::MonoTime> m_frozenAt; // the clock, when the rows were made: nothing later is among them
    RowStyle m_rows;
    EventModel m_events;
    bool m_isRoom = true;
    QLabel *m_title;
    EventTable *m_table;
};

} // namespace lockui
