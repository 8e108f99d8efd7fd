// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/views/banner.h"

namespace lockui {

class ViewClock;

/// While what is shown may no longer be true: since when, and what is being done about it.
class StaleBanner : public Banner {
    Q_OBJECT
public:
    StaleBanner(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    void setSnapshot(const lockcore::Snapshot &snapshot);
    void setPaused(std::optional<lockcore::MonoTime> since); // absent: what is shown goes on

private:
    /// What is not watched.
    struct Loss {
        QStringList servers; // while others are watched
        std::optional<lockcore::MonoTime> since; // the first of them
        bool whole = false; // none is watched
    };

    void decide();
    void refresh();
    QString pausedText(lockcore::MonoTime now) const;
    QString meanwhileText() const;
    QString recordingText(lockcore::MonoTime now) const;
    QString partText(lockcore::MonoTime now) const;
    QString wholeText(lockcore::MonoTime now) const;

    const ViewClock &m_clock;
    lockcore::SourceStatus m_status;
    Loss m_loss;
    std::optional<lockcore::MonoTime> m_pausedSince;
    Loss m_lossAtPause;
};

} // namespace lockui
