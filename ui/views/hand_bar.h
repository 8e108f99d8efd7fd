// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <QWidget>

#include <functional>
#include <optional>

class QHBoxLayout;
class QPushButton;

namespace lockui {

class ElidedLabel;

/// What a person does with one client of free play.
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
    void setSaid(const QString &said); // of what was done last; empty: nothing

Q_SIGNALS:
    void actRequested(lockui::lab::HandAct act);

private:
    QPushButton *newAct(QHBoxLayout &layout, const QString &text, const QString &toolTip,
        std::function<lab::HandAct(const lab::ContenderState &client)> act);
    bool isAwake() const;
    bool waits() const;
    void showLock();
    void showCrash();
    void showTitle();

    Subject m_subject;
    QString m_said;
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
