// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockui {

class ElidedLabel;

/// The fencing token of a fenced lock, or what another library wrote into a lock of its own; hidden for other kinds.
class TokenLine : public QWidget {
    Q_OBJECT
public:
    explicit TokenLine(QWidget *parent = nullptr);

    void show(const lockcore::monitor::LockState &lock);

private:
    QLabel *m_title;
    ElidedLabel *m_token;
    QPushButton *m_copy;
    QString m_whole; // for the clipboard
};

} // namespace lockui
