// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"
#include "ui/dialogs/release_guard.h"

class QSpinBox;

namespace lockui {

/// Sets the time that a lock of others has left, while it is held by whom the person saw.
class SetTtlDialog : public GuardedDialog {
    Q_OBJECT
public:
    SetTtlDialog(Lock seen, bool typesName, QWidget *parent = nullptr);

private:
    QString changed() const override;
    lockcore::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::CommandOutcome &outcome) const override;

    QSpinBox *m_seconds;
};

} // namespace lockui
