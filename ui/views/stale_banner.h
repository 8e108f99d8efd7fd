// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockui {

class ViewClock;

/// Over every page while the connection is lost: since when, why, and when it is tried again.
class StaleBanner : public QWidget {
    Q_OBJECT
public:
    explicit StaleBanner(const ViewClock &clock, QWidget *parent = nullptr);

    void setStatus(const lockcore::SourceStatus &status);

private:
    void refresh();

    const ViewClock &m_clock;
    lockcore::SourceStatus m_status;
    QLabel *m_text;
};

} // namespace lockui
