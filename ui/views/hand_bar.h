// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <QWidget>

#include <functional>
#include <map>
#include <optional>

class QHBoxLayout;
class QPushButton;

namespace lockui {

class ElidedLabel;
class PressGuard;

/// What a person does with one client of free play. Its focus proxy has the focus where a button can be pressed no
/// more.
class HandBar : public QWidget {
    Q_OBJECT
public:
    /// Whom it acts on, as it is now.
    struct Subject {
        std::optional<lab::ContenderState> client{}; // absent: none is chosen
        lab::GroupSettings group{};
        QString title{}; // of the group
        lockcore::MonoTime now{};
        bool isOfOthers = false; // its lock may be
        bool isRunning = false;
    };

    explicit HandBar(QWidget *parent = nullptr);

    void setSubject(const Subject &subject);
    /// What came of what was done last, and with whom, as it is since then; shown for that client until it is another.
    void setSaid(const lab::HandOutcome &outcome, const lab::ContenderState &client);
    void forgetSaid();

Q_SIGNALS:
    void actRequested(lockui::lab::HandAct act);

protected:
    void moveEvent(QMoveEvent *event) override;

private:
    struct Said {
        lab::GroupId group;
        lab::ContenderState client; // as it was then
        QString text;
    };

    QPushButton *newAct(QHBoxLayout &layout, const QString &text, const QString &toolTip,
        std::function<lab::HandAct(const lab::ContenderState &client)> act);
    bool isOfSubject(const Said &said) const;
    bool isAwake() const;
    bool waits() const;
    void offer(QPushButton &button, bool can, const QString &toolTip);
    void showLock();
    void showCrash();
    void showTitle();
    void setText(QPushButton &button, const QString &text); // what it does with the client

    Subject m_subject;
    std::map<QPushButton *, PressGuard *> m_presses; // a guard each: what one does changes alone
    bool m_isOther = false; // client than the one before
    std::optional<Said> m_said; // absent: nothing, or it is over
    ElidedLabel *m_title;
    QPushButton *m_takeOver;
    QPushButton *m_lock;
    QPushButton *m_lockToRead;
    QPushButton *m_unlock;
    QPushButton *m_renew;
    QPushButton *m_countDown;
    QPushButton *m_pause;
    QPushButton *m_crash;
};

} // namespace lockui
