// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"

namespace lockui {

/// Gives one permit of a semaphore back in place of whoever has it, while its lease is the one that was seen.
class ReturnPermitDialog : public GuardedDialog {
    Q_OBJECT
public:
    ReturnPermitDialog(
        Lock seen, lockcore::synchronizers::PermitReading permit, const ActionPlace &place, QWidget *parent = nullptr);

private:
    QString changed() const override;
    QString warning() const override;
    lockcore::synchronizers::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    QString doneText(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    void showSubject() override;

    bool hasRunOut() const;

    const lockcore::synchronizers::PermitReading m_permit;
    const ViewClock &m_clock;
    QLabel *m_subject;
};

} // namespace lockui
