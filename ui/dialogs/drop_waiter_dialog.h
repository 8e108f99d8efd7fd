// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"

namespace lockui {

/// Takes a waiter out of the queue of a fair lock, while it stands there.
class DropWaiterDialog : public GuardedDialog {
    Q_OBJECT
public:
    DropWaiterDialog(Lock seen, lockcore::OwnerId waiter, bool typesName, QWidget *parent = nullptr);

private:
    QString changed() const override;
    lockcore::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::CommandOutcome &outcome) const override;

    const lockcore::OwnerId m_waiter;
};

} // namespace lockui
