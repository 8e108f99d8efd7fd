// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QScrollArea>
#include <optional>

class QLabel;

namespace lockui {

class ClientNames;

/// All holders of a lock with their whole ids, and their time left while they hold it.
class HolderList : public QScrollArea {
    Q_OBJECT
public:
    explicit HolderList(const ClientNames &names, QWidget *parent = nullptr);

    void show(const lockcore::LockState &lock, std::optional<lockcore::MonoTime> now); // absent: that was once

private:
    void fitHeight(qsizetype lines);

    const ClientNames &m_names;
    QLabel *m_owners;
    QLabel *m_holds;
    QLabel *m_times;
};

/// `7f21aa09-…:7   write ×2`, one line a holder; for what a server answered.
QString holderLines(const std::vector<lockcore::HolderReading> &holders, const ClientNames &names);
QString holderLines(const lockcore::LockState &lock, const ClientNames &names);

} // namespace lockui
