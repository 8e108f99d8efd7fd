// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/dialogs/seen_lock.h"

#include <QScrollArea>
#include <QWidget>

#include <functional>
#include <optional>

class QLabel;

namespace lockui {

class ClientNames;
class HolderList;

/// Who was seen to hold a lock; and, when it changed hands since, who holds it now.
class HoldersView : public QWidget {
    Q_OBJECT
public:
    HoldersView(const ClientNames &names, QString titleWhenDone, QWidget *parent = nullptr);

    void show(const SeenLock &lock, bool done, lockcore::MonoTime now); // done: something was done to what was seen
    int heightOfChange() const; // so much more it takes when the lock has changed hands

Q_SIGNALS:
    void lookAgainChosen();

private:
    QWidget *buildChange();

    const ClientNames &m_names;
    const QString m_titleWhenDone;
    QLabel *m_title;
    HolderList *m_seen;
    QLabel *m_facts;
    QLabel *m_nowTitle = nullptr;
    HolderList *m_now = nullptr;
    QWidget *m_change;
};

/// All holders of a lock with their whole ids, and their time left while they hold it.
class HolderList : public QScrollArea {
    Q_OBJECT
public:
    explicit HolderList(const ClientNames &names, QWidget *parent = nullptr);

    /// Those who hold it now, with the counts that are other ones than were seen.
    void show(const lockcore::monitor::LockState &lock, const lockcore::monitor::LockState &seen,
        std::optional<lockcore::MonoTime> now); // absent: that was once
    /// Those who were seen. `now`: with the times that they would have left; absent: without.
    void showSeen(const lockcore::monitor::LockState &seen, std::optional<lockcore::MonoTime> now);

private:
    struct Line {
        QString hold;
        QString time;
    };

    void fill(
        const lockcore::monitor::LockState &lock, const std::function<Line(const lockcore::monitor::Holder &)> &lineOf);
    void resizeEvent(QResizeEvent *event) override;
    void fitHeight();

    const ClientNames &m_names;
    QLabel *m_owners;
    QLabel *m_holds;
    QLabel *m_times;
};

/// `7f21aa09-…:7   write ×2`, one line a holder; for what a server answered.
QString holderLines(const std::vector<lockcore::synchronizers::HolderReading> &holders, const ClientNames &names);
QString holderLines(const lockcore::monitor::LockState &lock, const ClientNames &names);

} // namespace lockui
