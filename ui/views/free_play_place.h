// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/connected_place.h"

#include <QComboBox>

#include <memory>

namespace lockui {

/// Where free play is played: on a private server, or on the one that the window is connected to, as far as one may.
class FreePlayPlace : public QComboBox {
    Q_OBJECT
public:
    explicit FreePlayPlace(QWidget *parent = nullptr);

    const ConnectedPlace &connected() const { return m_connected; }
    void setConnected(const ConnectedPlace &place);

    bool isOnConnected() const; // it is chosen, whether something runs or not
    const ConnectedPlace *chosen() const { return isOnConnected() ? &m_connected : nullptr; } // null: a private one
    void chooseConnected(bool connected);

    QString about() const; // what clients are and do there
    /// While it runs. `server`: the address of a private one. `prefix`: of the names of all that contends; empty:
    /// nothing does.
    QString runningText(const std::string &server, const std::string &prefix) const;
    /// `endedOn`: the title of the server that the window has left meanwhile; empty: it was stopped.
    QString stoppedText(const QString &endedOn, bool isSomethingLeft) const;

private:
    void showPlaces();

    ConnectedPlace m_connected;
};

} // namespace lockui
