// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <QWidget>

#include <optional>

namespace lockui {

class ClientNames;
class BulletList;
class ElidedLabel;

/// The lock as it was seen last.
struct LockInSight {
    const lockcore::monitor::LockState *lock = nullptr; // whose queue tells which waiter stands in the way
    lockcore::MonoTime until{};
    bool tellsOfRenewals = true; // the figures; false where that stands beside them, and another time is meant there
};

/// What is suspected of one lock with what speaks for it, and its figures. Hidden when there is nothing to
/// say; the line of figures keeps its room.
class SuspectsView : public QWidget {
    Q_OBJECT
public:
    explicit SuspectsView(QWidget *parent = nullptr);

    void setCountedSince(const QString &moment); // its figures, in a recording; empty: since the connection was opened
    void setClientNames(const ClientNames *names) { m_names = names; }
    /// `analysis`: null while nothing is known yet.
    void show(
        const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock, const LockInSight &seen = {});
    void refresh(const LockInSight &seen); // what goes on by itself: those in the queue wait on

private:
    struct Figures {
        lockcore::monitor::LockStatistics numbers;
        lockcore::MonoTime countedAt;
        lockcore::Millis waited{ 0 }; // as it was shown: who has got it since then is counted only by the next analysis
        lockcore::MonoTime seenUntil; // when that was shown
    };

    const ClientNames *m_names = nullptr;
    QString m_countedSince;
    std::optional<Figures> m_shown;
    BulletList *m_suspects;
    ElidedLabel *m_figures;
};

} // namespace lockui
