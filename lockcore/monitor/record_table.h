// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace lockcore {

/// Records by the names that they hold, `lockNameOf(record)`: there are no second copies of the names. Each record has
/// a number for as long as it is there.
template <typename Record>
class RecordTable {
public:
    using Number = std::uint32_t;
    static constexpr Number None = std::numeric_limits<Number>::max();

    std::size_t size() const { return m_records.size() - m_free.size(); }
    std::size_t numbers() const { return m_records.size(); } // those of all records are below
    bool has(Number number) const { return number < m_records.size() && m_used[number]; }

    Number find(const LockName &name) const // None: not there
    {
        const auto hash = hashOf(name);
        for (std::size_t slot = home(hash); !m_slots.empty() && m_slots[slot].number != None; slot = next(slot)) {
            if (m_slots[slot].hash == hash && lockNameOf((*this)[m_slots[slot].number]) == name)
                return m_slots[slot].number;
        }
        return None;
    }
    Record &operator[](Number number) { return m_records[number]; }
    const Record &operator[](Number number) const { return m_records[number]; }

    /// Its name must not be there yet.
    Number add(Record record)
    {
        Number number = static_cast<Number>(m_records.size());
        if (m_free.empty()) {
            m_records.emplace_back();
            m_used.push_back(true);
        } else {
            number = m_free.back();
            m_free.pop_back();
        }
        m_records[number] = std::move(record);
        m_used[number] = true;
        if (size() * 5 > m_slots.size() * 4)
            grow();
        enter({ hashOf(lockNameOf((*this)[number])), number });
        return number;
    }

    void erase(Number number)
    {
        std::size_t hole = home(hashOf(lockNameOf((*this)[number])));
        while (m_slots[hole].number != number)
            hole = next(hole);
        // Those that were pushed on by it move up.
        for (std::size_t slot = next(hole); m_slots[slot].number != None; slot = next(slot)) {
            if (distance(home(m_slots[slot].hash), slot) >= distance(hole, slot)) {
                m_slots[hole] = m_slots[slot];
                hole = slot;
            }
        }
        m_slots[hole] = {};
        m_records[number] = {};
        m_used[number] = false;
        m_free.push_back(number);
    }

    /// Which may erase the one that it visits.
    template <typename Visit>
    void forEach(Visit visit)
    {
        for (Number number = 0; number < m_records.size(); ++number) {
            if (has(number))
                visit(number, (*this)[number]);
        }
    }

    template <typename Visit>
    void forEach(Visit visit) const
    {
        for (Number number = 0; number < m_records.size(); ++number) {
            if (has(number))
                visit(number, (*this)[number]);
        }
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        Number number = None;
    };

    static std::uint32_t hashOf(const LockName &name)
    {
        return static_cast<std::uint32_t>(std::hash<LockName>()(name));
    }
    std::size_t home(std::uint32_t hash) const { return hash & (m_slots.size() - 1); }
    std::size_t next(std::size_t slot) const { return (slot + 1) & (m_slots.size() - 1); }
    std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & (m_slots.size() - 1); }

    void enter(const Slot &entry)
    {
        std::size_t slot = home(entry.hash);
        while (m_slots[slot].number != None)
            slot = next(slot);
        m_slots[slot] = entry;
    }
    void grow()
    {
        constexpr std::size_t Fewest = 16;
        const auto before = std::exchange(m_slots, std::vector<Slot>(std::max(Fewest, 2 * m_slots.size())));
        for (const Slot &slot : before) {
            if (slot.number != None)
                enter(slot);
        }
    }

    std::deque<Record> m_records;
    std::vector<bool> m_used;
    std::vector<Number> m_free;
    std::vector<Slot> m_slots; // a power of two; linear probing
};

} // namespace lockcore
