// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/seen_lock.h"

#include <QWidget>

class QLabel;

namespace lockui {

class ClientNames;
class HolderList;

/// Who was seen to hold a lock; and, when it changed hands since, who holds it now.
class HoldersView : public QWidget {
    Q_OBJECT
public:
    explicit HoldersView(const ClientNames &names, QWidget *parent = nullptr);

    void show(const SeenLock &lock, bool done, lockcore::MonoTime now); // done: that was once

Q_SIGNALS:
    void lookAgainChosen();

private:
    QWidget *buildChange();

    const ClientNames &m_names;
    QLabel *m_title;
    HolderList *m_seen;
    QLabel *m_facts;
    HolderList *m_now = nullptr;
    QWidget *m_change;
};

} // namespace lockui
