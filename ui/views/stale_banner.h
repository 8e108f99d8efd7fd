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
    void decide();
    void refresh();
    QString pausedText(lockcore::MonoTime now) const;
    QString recordingText(lockcore::MonoTime now) const;
    QString partText(lockcore::MonoTime now) const;
    QString wholeText(lockcore::MonoTime now) const;

    const ViewClock &m_clock;
    lockcore::SourceStatus m_status;
    std::optional<lockcore::MonoTime> m_pausedSince;
    QStringList m_lost; // servers, while others are watched
    std::optional<lockcore::MonoTime> m_lostSince; // the first of them
};

} // namespace lockui
