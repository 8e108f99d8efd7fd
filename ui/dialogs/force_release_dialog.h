// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"

namespace lockui {

class HoldersView;

/// Frees a lock whoever holds it, while it is held by whom the person saw.
class ForceReleaseDialog : public GuardedDialog {
    Q_OBJECT
public:
    ForceReleaseDialog(Lock seen, const ActionPlace &place, QWidget *parent = nullptr);

private:
    QString changed() const override;
    QString warning() const override;
    lockcore::synchronizers::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    QString doneText(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    void showSubject() override;

    HoldersView *m_holders;
    QLabel *m_wokenTitle;
    QLabel *m_woken;
};

} // namespace lockui
