// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "ui/models/lock_table_model.h"

#include <QDialog>

class QSpinBox;

namespace lockui {

/// Renewing is not to take from a holder what it has, unless the person says so.
int secondsToOffer(const lockcore::LockState &lock, lockcore::MonoTime now);

/// Asks how long a lock held by a manual client shall live from now.
class RenewDialog : public QDialog {
    Q_OBJECT
public:
    explicit RenewDialog(const lockcore::LockState &lock, QWidget *parent = nullptr);

    lockcore::Millis lease() const;

private:
    QSpinBox *m_seconds;
};

} // namespace lockui
