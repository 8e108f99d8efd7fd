// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <optional>
#include <vector>

namespace lockui {

/// The groups of free play as a person has set them, one of which is chosen. There is at least one.
class FreePlayGroups {
public:
    const std::vector<lab::GroupSettings> &all() const { return m_groups; }
    std::size_t chosenIndex() const { return m_chosen; }
    const lab::GroupSettings &chosen() const { return m_groups[m_chosen]; }
    QString chosenTitle() const;
    bool mayGrow() const { return m_groups.size() < lab::MostGroups; }
    std::optional<std::size_t> ledTo(const std::optional<lockcore::LockName> &lock) const; // absent: none is

    void set(const std::vector<lab::GroupSettings> &groups); // instead of those that there are
    void add(lab::GroupSettings group);
    void remove(std::size_t index);
    void choose(std::size_t index) { m_chosen = index; }
    void turn(const lab::GroupSettings &chosen, bool all); // all: of the others the same

private:
    std::vector<lab::GroupSettings> m_groups;
    std::size_t m_chosen = 0;
    std::uint64_t m_lastId = 0;
};

} // namespace lockui
