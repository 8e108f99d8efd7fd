// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/connection_store.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace lockui {

/// Asks before a connection is switched to writable; in production a word must be typed.
class WritableDialog : public QDialog {
    Q_OBJECT
public:
    explicit WritableDialog(const ConnectionProfile &profile, QWidget *parent = nullptr);

private:
    QLineEdit *m_word = nullptr; // null: need not be typed
    QPushButton *m_switch;
};

} // namespace lockui
