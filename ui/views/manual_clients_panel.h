// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/manual_clients.h"

#include <QWidget>
#include <memory>

namespace lockui {

/// Takes, re-enters, renews and releases locks as one of the manual clients, and shows what each of them holds.
/// The clients are opened and closed by whoever owns them, and must outlive the panel.
class ManualClientsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ManualClientsPanel(lockcore::service::ManualClients &clients, QWidget *parent = nullptr);
    ~ManualClientsPanel() override;

    void setLockName(const lockcore::LockName &name); // bytes that are no text are kept
    void setLock(const lockcore::monitor::LockState &lock); // the selected one, with its kind

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockui
