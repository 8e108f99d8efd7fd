// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/views/banner.h"

#include <memory>

namespace lockui {

class ClientNames;

/// While clients wait for each other in a circle: who, and for what.
class DeadlockBanner : public Banner {
    Q_OBJECT
public:
    DeadlockBanner(const Theme &theme, const ClientNames &names, QWidget *parent = nullptr);

    void setGraph(std::shared_ptr<const lockcore::WaitGraph> graph); // null: not known

Q_SIGNALS:
    void lockChosen(const lockcore::LockName &lock); // of the first circle

private:
    void refresh();

    const ClientNames &m_names;
    std::shared_ptr<const lockcore::WaitGraph> m_graph;
};

} // namespace lockui
