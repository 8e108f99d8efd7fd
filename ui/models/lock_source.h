// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/models/palette_source.h"

namespace lockui {

/// All locks of a snapshot, by their names as they are shown.
class LockSource : public PaletteSource {
public:
    using Choose = std::function<void(const lockcore::LockName &)>;

    LockSource(lockcore::monitor::LockList locks, Choose choose);

    std::size_t count() const override { return m_locks.size(); }
    QString text(std::size_t index) const override;
    PaletteEntry entry(std::size_t index) const override;

private:
    lockcore::monitor::LockList m_locks;
    Choose m_choose;
};

} // namespace lockui
