// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"

namespace lockui {

/// Takes a waiter out of the queue of a fair lock, while it stands there.
class DropWaiterDialog : public GuardedDialog {
    Q_OBJECT
public:
    DropWaiterDialog(Lock seen, lockcore::OwnerId waiter, const ActionPlace &place, QWidget *parent = nullptr);

private:
    QString changed() const override;
    QString warning() const override;
    lockcore::synchronizers::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    QString doneText(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    void showSubject() override;

    const lockcore::OwnerId m_waiter;
    QLabel *m_subject;
};

} // namespace lockui
