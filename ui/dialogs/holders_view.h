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
    HoldersView(const ClientNames &names, QString titleWhenDone, QWidget *parent = nullptr);

    void show(const SeenLock &lock, bool done, lockcore::MonoTime now); // done: something was done to what was seen

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

} // namespace lockui
