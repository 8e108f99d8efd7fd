// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"

class QSpinBox;

namespace lockui {

class HoldersView;

/// Sets the time that a lock of others has left, while it is held by whom the person saw.
class SetTtlDialog : public GuardedDialog {
    Q_OBJECT
public:
    SetTtlDialog(Lock seen, const ActionPlace &place, QWidget *parent = nullptr);

private:
    QString changed() const override;
    QString warning() const override;
    lockcore::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::CommandOutcome &outcome) const override;
    QString doneText(const lockcore::CommandOutcome &outcome) const override;
    void showSubject() override;

    HoldersView *m_holders;
    QSpinBox *m_seconds;
};

} // namespace lockui
