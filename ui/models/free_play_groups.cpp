// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/free_play_groups.h"

#include "ui/models/contender_text.h"
#include "ui/models/free_play_presets.h"

#include <algorithm>
#include <utility>

namespace lockui {

using lab::GroupSettings;

QString FreePlayGroups::chosenTitle() const { return groupTitles(m_groups)[static_cast<qsizetype>(m_chosen)]; }

std::optional<std::size_t> FreePlayGroups::ledTo(const std::optional<lockcore::LockName> &lock) const
{
    const auto found = std::ranges::find(m_groups, lock, &GroupSettings::byHand);
    if (found == m_groups.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_groups.begin());
}

void FreePlayGroups::set(const std::vector<GroupSettings> &groups)
{
    m_groups.clear();
    m_chosen = 0;
    for (const GroupSettings &group : groups)
        add(group);
}

void FreePlayGroups::add(GroupSettings group)
{
    group.id = lab::GroupId{ ++m_lastId };
    m_groups.push_back(std::move(group));
}

void FreePlayGroups::remove(std::size_t index)
{
    m_groups.erase(m_groups.begin() + static_cast<std::ptrdiff_t>(index));
    m_chosen = std::min(m_chosen, m_groups.size() - 1);
}

void FreePlayGroups::turn(const GroupSettings &chosen, bool all)
{
    const GroupSettings before = std::exchange(m_groups[m_chosen], chosen);
    for (GroupSettings &group : m_groups) {
        if (all && group.id != before.id && !group.byHand && !before.byHand)
            changeAlike(group, before, chosen);
    }
}

} // namespace lockui
