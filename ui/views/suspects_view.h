// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <QWidget>

namespace lockui {

class ClientNames;
class BulletList;
class ElidedLabel;

/// What is suspected of one lock with what speaks for it, and its figures. Hidden when there is nothing to say.
class SuspectsView : public QWidget {
    Q_OBJECT
public:
    explicit SuspectsView(QWidget *parent = nullptr);

    void setClientNames(const ClientNames *names) { m_names = names; }
    /// `analysis`: null while nothing is known yet. `seen`: whose queue tells which waiter stands in the way.
    void show(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock,
        const lockcore::monitor::LockState *seen = nullptr);

private:
    const ClientNames *m_names = nullptr;
    BulletList *m_suspects;
    ElidedLabel *m_figures;
};

} // namespace lockui
