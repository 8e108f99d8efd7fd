// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "ui/dialogs/guarded_dialog.h"
#include "ui/models/lock_table_model.h"

class QLabel;
class QLineEdit;

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
    QStringList aliveTexts() const;

    HoldersView *m_holders;
    QLabel *m_wokenTitle;
    QLabel *m_woken;
};

/// Sets the time that a lock of others has left, while it is held by whom the person saw.
class SetTtlDialog : public GuardedDialog {
    Q_OBJECT
public:
    SetTtlDialog(Lock seen, const ActionPlace &place, QWidget *parent = nullptr);

private:
    QString changed() const override;
    QString warning() const override;
    lockcore::synchronizers::AdminCommand command(std::string reason) const override;
    QString refusal(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    QString doneText(const lockcore::synchronizers::CommandOutcome &outcome) const override;
    QString unanswered() const override;
    void showSubject() override;
    int roomForChange() const override;
    std::optional<lockcore::Millis> typedTime() const;

    HoldersView *m_holders;
    QLineEdit *m_time; // as `90`, `90s`, `10m` or `2h`
    QLabel *m_meaning; // of what is typed there
};

/// Renewing is not to take from a holder what it has, unless the person says so.
int secondsToOffer(const lockcore::monitor::LockState &lock, lockcore::MonoTime now);

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
    QString lifeSignsOf(const lockcore::monitor::Waiter &waiter) const;

    const lockcore::OwnerId m_waiter;
    const ViewClock &m_clock;
    QLabel *m_subject;
    QLabel *m_signs;
};

} // namespace lockui
