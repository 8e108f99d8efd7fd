// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_group_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockui {

bool LockGroupRows::isBefore(const LockGroup &a, const LockGroup &b)
{
    if (a.key.isRest != b.key.isRest)
        return b.key.isRest;
    if (a.name.isEmpty() != b.name.isEmpty())
        return b.name.isEmpty();
    if (const int order = a.name.compare(b.name, Qt::CaseInsensitive); order != 0)
        return order < 0;
    return a.key < b.key;
}

LockGroup *LockGroupRows::find(const GroupKey &key) const
{
    const auto found = m_byKey.find(key);
    return found == m_byKey.end() ? nullptr : found->second;
}

LockGroup *LockGroupRows::at(int row) const
{
    const auto behind = std::ranges::partition_point(m_groups, [row](const auto &group) { return group->row <= row; });
    return behind == m_groups.begin() ? nullptr : std::prev(behind)->get();
}

LockGroupRows::Groups::const_iterator LockGroupRows::placeFor(const LockGroup &group) const
{
    return std::ranges::partition_point(m_groups, [&](const auto &each) { return isBefore(*each, group); });
}

int LockGroupRows::rowFor(const LockGroup &group) const
{
    const auto place = placeFor(group);
    return place == m_groups.end() ? m_rows : (*place)->row;
}

LockGroup &LockGroupRows::insert(std::unique_ptr<LockGroup> group)
{
    LockGroup &inserted = *group;
    m_byKey.emplace(group->key, &inserted);
    const auto place = m_groups.insert(placeFor(*group), std::move(group));
    numberFrom(static_cast<std::size_t>(place - m_groups.begin()));
    return inserted;
}

LockGroup &LockGroupRows::append(std::unique_ptr<LockGroup> group)
{
    m_byKey.emplace(group->key, group.get());
    return *m_groups.emplace_back(std::move(group));
}

void LockGroupRows::remove(const LockGroup &group)
{
    const std::size_t number = numberOf(group);
    m_byKey.erase(m_byKey.find(group.key));
    m_groups.erase(m_groups.begin() + static_cast<std::ptrdiff_t>(number));
    numberFrom(number);
}

void LockGroupRows::renumber(const LockGroup &from) { numberFrom(numberOf(from)); }

void LockGroupRows::arrange()
{
    std::erase_if(m_byKey, [](const auto &entry) { return entry.second->locks.empty(); });
    std::erase_if(m_groups, [](const auto &group) { return group->locks.empty(); });
    std::ranges::sort(m_groups, [](const auto &a, const auto &b) { return isBefore(*a, *b); });
    numberFrom(0);
}

std::size_t LockGroupRows::numberOf(const LockGroup &group) const
{
    const auto place = std::ranges::lower_bound(m_groups, group.row, {}, [](const auto &each) { return each->row; });
    return static_cast<std::size_t>(place - m_groups.begin());
}

void LockGroupRows::numberFrom(std::size_t number)
{
    int row = number == 0 ? 0 : m_groups[number - 1]->row + m_groups[number - 1]->rows();
    for (std::size_t i = number; i < m_groups.size(); ++i) {
        m_groups[i]->row = row;
        row += m_groups[i]->rows();
    }
    m_rows = row;
}

} // namespace lockui
