// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QHBoxLayout;
class QPushButton;

namespace lockui {

/// Says something that a person has to know and can only take note of. Its texts may come from strangers: they are
/// shown as plain text, and can be selected.
class NoticeDialog : public QDialog {
    Q_OBJECT
public:
    NoticeDialog(const QString &title, const QString &what, const QString &details, QWidget *parent);

    /// A button beside *Close*, which leaves the dialog open.
    QPushButton *addAction(const QString &text);

    /// Shows it above its parent; it is deleted when it is closed.
    void show();

private:
    QHBoxLayout *m_buttons;
};

} // namespace lockui
