// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <QObject>

#include <vector>

class QWidget;

namespace lockui {

/// What clients that are led by hand have, and what a person is told when they leave a server that others use.
class FreePlayHands : public QObject {
    Q_OBJECT
public:
    explicit FreePlayHands(QWidget &view);

    const std::vector<lab::HandHold> &holds() const { return m_holds; }
    const QString &endedOn() const { return m_endedOn; }
    bool isSomethingLeft() const { return m_isSomethingLeft; }

    void begin();
    void setState(const lab::FreePlayState &state);
    void leave(const QString &server); // the window does, while it is played there
    void tellEnd(const QString &text); // where the window has left that server
    void tellCutShort(const lockcore::Error &error);
    void tellLeft(const lockcore::Error &error);

Q_SIGNALS:
    void changed(); // of holds()

private:
    void notice(const QString &title, const QString &text);

    QWidget &m_view;
    std::vector<lab::HandHold> m_holds;
    QString m_endedOn; // the title of the server where it ended, since the window has left it; empty: it did not
    bool m_gaveBack = false; // then: they had something
    bool m_isSomethingLeft = false; // on that server, since what was begun last
};

} // namespace lockui
