// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"
#include "ui/views/connected_place.h"

#include <QComboBox>

namespace lockui {

class FreePlayHands;

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
    /// What the bar says of it, and the same shorter. `shown`: null: nothing is. `contends`: some clients do, by
    /// themselves.
    QStringList noteTexts(
        lab::FreePlayPhase phase, const lab::FreePlayState *shown, bool contends, const FreePlayHands &hands) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showPlaces();
    int widthFor(const QString &text) const;
    QStringList runningTexts(const std::string &server, const std::string &prefix) const;
    QStringList stoppedTexts(const FreePlayHands &hands) const;

    ConnectedPlace m_connected;
};

} // namespace lockui
