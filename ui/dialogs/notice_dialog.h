// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/connection_store.h"

#include <QDialog>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockui {

class BulletList;

/// Says something that a person has to know and can only take note of. Its texts may come from strangers: they are
/// shown as plain text, and can be selected.
class NoticeDialog : public QDialog {
    Q_OBJECT
public:
    NoticeDialog(const QString &title, const QString &what, const QString &details, QWidget *parent);

    /// A button beside *Close*, which leaves the dialog open.
    QPushButton *addAction(const QString &text);
    /// What else came to be known, below what it says already: a second dialog would lie over the first.
    void add(const QString &what, const QString &details);

    /// Shows it above its parent; it is deleted when it is closed.
    void show();
    /// The same, while its parent goes on taking clicks, and keys where the notice is not to have them.
    void showBeside(bool takesKeys);

private:
    QLabel *m_what;
    BulletList *m_details;
    QHBoxLayout *m_buttons;
};

/// Asks before something is allowed on a connection; in production a word must be typed.
class PermissionDialog : public QDialog {
    Q_OBJECT
protected:
    struct Texts {
        QString title;
        QString question;
        QString details;
        QString yes;
        QString no;
    };

    PermissionDialog(const Texts &texts, bool isProduction, QWidget *parent);

private:
    QLineEdit *m_word = nullptr; // null: need not be typed
    QPushButton *m_yes;
};

/// Asks before a connection is switched to writable.
class WritableDialog : public PermissionDialog {
    Q_OBJECT
public:
    explicit WritableDialog(const ConnectionProfile &profile, QWidget *parent = nullptr);
};

/// Asks before clients contend by themselves on a server that others use.
class ContentionDialog : public PermissionDialog {
    Q_OBJECT
public:
    ContentionDialog(const QString &server, bool isProduction, QWidget *parent = nullptr);
};

/// Asks before a play of the lab takes the place of the connection that is watched.
class WatchPlayDialog : public PermissionDialog {
    Q_OBJECT
public:
    explicit WatchPlayDialog(const QString &connection, QWidget *parent = nullptr);
};

/// Asks before a recording takes the place of the connection that is watched.
class ShowRecordingDialog : public PermissionDialog {
    Q_OBJECT
public:
    explicit ShowRecordingDialog(const QString &connection, QWidget *parent = nullptr);
};

} // namespace lockui
