// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace lockcore::monitor {

/// Immutable values by the name of a lock, `lockNameOf(value)`. Copies are the same list, and a list that changes
/// shares with its copies all chunks in which nothing did. Thread: as a value; what is shared is immutable.
template <typename Value>
class SortedList {
    using Chunk = std::vector<std::shared_ptr<const Value>>; // never empty
    struct Chunks {
        std::vector<std::shared_ptr<const Chunk>> list;
        std::vector<std::size_t> begins{ 0 }; // where each chunk begins; at last the size of all
    };

public:
    using Pointer = std::shared_ptr<const Value>;
    using value_type = Pointer;
    using Changes = std::map<LockName, Pointer>; // null: gone

    class const_iterator {
    public:
        using iterator_category = std::random_access_iterator_tag;
        using value_type = Pointer;
        using difference_type = std::ptrdiff_t;
        using pointer = const Pointer *;
        using reference = const Pointer &;

        const_iterator() = default;
        reference operator*() const { return (*chunk())[m_place]; }
        pointer operator->() const { return &**this; }
        reference operator[](difference_type n) const { return *(*this + n); }

        const_iterator &operator++()
        {
            if (++m_place == chunk()->size())
                nextChunk();
            return *this;
        }
        const_iterator &operator--()
        {
            if (m_place == 0)
                return *this += -1;
            --m_place;
            return *this;
        }
        const_iterator operator++(int) { return std::exchange(*this, *this + 1); }
        const_iterator operator--(int) { return std::exchange(*this, *this - 1); }
        const_iterator &operator+=(difference_type n)
        {
            return *this = { *m_chunks, static_cast<std::size_t>(static_cast<difference_type>(index()) + n) };
        }
        const_iterator &operator-=(difference_type n) { return *this += -n; }
        friend const_iterator operator+(const_iterator it, difference_type n) { return it += n; }
        friend const_iterator operator+(difference_type n, const_iterator it) { return it += n; }
        friend const_iterator operator-(const_iterator it, difference_type n) { return it -= n; }
        friend difference_type operator-(const const_iterator &a, const const_iterator &b)
        {
            return static_cast<difference_type>(a.index()) - static_cast<difference_type>(b.index());
        }
        bool operator==(const const_iterator &other) const
        {
            return m_chunk == other.m_chunk && m_place == other.m_place;
        }
        auto operator<=>(const const_iterator &other) const
        {
            return std::pair(m_chunk, m_place) <=> std::pair(other.m_chunk, other.m_place);
        }

        /// At the beginning of the same chunk: moves both behind it.
        friend bool skipShared(const_iterator &a, const_iterator &b)
        {
            if (a.m_place + b.m_place != 0 || a.isAtEnd() || b.isAtEnd() || a.chunk() != b.chunk())
                return false;
            a.nextChunk();
            b.nextChunk();
            return true;
        }

    private:
        friend class SortedList;
        const_iterator(const Chunks &chunks, std::size_t index)
            : m_chunks(&chunks)
        {
            const auto &begins = chunks.begins;
            const auto next = std::upper_bound(begins.begin(), begins.end(), index);
            m_chunk = next == begins.end() ? chunks.list.size() : static_cast<std::size_t>(next - begins.begin()) - 1;
            m_place = index - begins[m_chunk];
        }
        const std::shared_ptr<const Chunk> &chunk() const { return m_chunks->list[m_chunk]; }
        std::size_t index() const { return m_chunks ? m_chunks->begins[m_chunk] + m_place : 0; }
        bool isAtEnd() const { return m_chunk == m_chunks->list.size(); }
        void nextChunk()
        {
            ++m_chunk;
            m_place = 0;
        }

        const Chunks *m_chunks = nullptr;
        std::size_t m_chunk = 0;
        std::size_t m_place = 0; // in it
    };
    using iterator = const_iterator;

    SortedList() = default;
    SortedList(std::vector<Pointer> sorted)
    {
        Chunks chunks;
        addSplit(chunks, std::move(sorted));
        m_chunks = std::make_shared<const Chunks>(std::move(chunks));
    }
    SortedList(std::initializer_list<Pointer> sorted)
        : SortedList(std::vector<Pointer>(sorted))
    {
    }

    std::size_t size() const { return chunks().begins.back(); }
    bool empty() const { return size() == 0; }
    const_iterator begin() const { return { chunks(), 0 }; }
    const_iterator end() const { return { chunks(), size() }; }
    const Pointer &operator[](std::size_t index) const { return *const_iterator(chunks(), index); }
    const Pointer &front() const { return *begin(); }
    const Pointer &back() const { return *--end(); }

    /// The first whose name is not before this one.
    const_iterator lowerBound(const LockName &name) const
    {
        return partitionPoint([&](const Value &value) { return lockNameOf(value) < name; });
    }
    /// The first whose name is behind this one.
    const_iterator upperBound(const LockName &name) const
    {
        return partitionPoint([&](const Value &value) { return lockNameOf(value) <= name; });
    }
    Pointer find(const LockName &name) const // null: not there
    {
        const auto place = lowerBound(name);
        return place != end() && lockNameOf(**place) == name ? *place : nullptr;
    }

    void apply(const Changes &changes)
    {
        if (changes.empty())
            return;
        Chunks next;
        const auto &old = chunks().list;
        auto chunk = old.begin();
        for (auto change = changes.begin(); change != changes.end();) {
            // The last chunk that does not begin behind it.
            auto place = std::upper_bound(chunk, old.end(), change->first,
                [](const LockName &name, const auto &other) { return name < lockNameOf(*other->front()); });
            place -= place == chunk ? 0 : 1;
            std::for_each(chunk, place, [&](const auto &shared) { add(next, shared); });
            chunk = place == old.end() ? place : std::next(place);
            const auto last = chunk == old.end() ? changes.end() : changes.lower_bound(lockNameOf(*(*chunk)->front()));
            addSplit(next, merged(place == old.end() ? Chunk() : **place, change, last));
            change = last;
        }
        std::for_each(chunk, old.end(), [&](const auto &shared) { add(next, shared); });
        m_chunks = std::make_shared<const Chunks>(std::move(next));
    }

private:
    using Change = typename Changes::const_iterator;

    // A change copies a chunk and the list of chunks: neither may be long.
    static constexpr std::size_t Most = 128;

    const Chunks &chunks() const
    {
        static const Chunks nothing;
        return m_chunks ? *m_chunks : nothing;
    }

    template <typename IsBefore>
    const_iterator partitionPoint(IsBefore isBefore) const
    {
        const auto &all = chunks();
        const auto behind = std::partition_point(
            all.list.begin(), all.list.end(), [&](const auto &chunk) { return isBefore(*chunk->front()); });
        if (behind == all.list.begin())
            return begin();
        const auto &chunk = **std::prev(behind);
        const auto place
            = std::partition_point(chunk.begin(), chunk.end(), [&](const Pointer &value) { return isBefore(*value); });
        const auto index = static_cast<std::size_t>(behind - all.list.begin()) - 1;
        return { all, all.begins[index] + static_cast<std::size_t>(place - chunk.begin()) };
    }

    static Chunk merged(const Chunk &chunk, Change change, Change last)
    {
        Chunk merged;
        merged.reserve(chunk.size() + static_cast<std::size_t>(std::distance(change, last)));
        auto rest = chunk.begin();
        for (; change != last; ++change) {
            for (; rest != chunk.end() && lockNameOf(**rest) < change->first; ++rest)
                merged.push_back(*rest);
            for (; rest != chunk.end() && lockNameOf(**rest) == change->first; ++rest) { }
            if (change->second)
                merged.push_back(change->second);
        }
        merged.insert(merged.end(), rest, chunk.end());
        return merged;
    }

    static void addSplit(Chunks &chunks, Chunk values)
    {
        if (values.empty())
            return;
        if (values.size() <= Most)
            return add(chunks, std::make_shared<const Chunk>(std::move(values)));
        const std::size_t parts = (values.size() + Most - 1) / Most;
        for (std::size_t part = 0; part < parts; ++part) {
            const auto at = [&](std::size_t number) {
                return values.begin() + static_cast<std::ptrdiff_t>(values.size() * number / parts);
            };
            add(chunks, std::make_shared<const Chunk>(at(part), at(part + 1)));
        }
    }

    /// Neighbours that became small become one.
    static void add(Chunks &chunks, std::shared_ptr<const Chunk> chunk)
    {
        auto &begins = chunks.begins;
        const std::size_t before = chunks.list.empty() ? Most : chunks.list.back()->size();
        if (before + chunk->size() <= Most / 2) {
            Chunk both = *chunks.list.back();
            both.insert(both.end(), chunk->begin(), chunk->end());
            begins.back() += chunk->size();
            chunks.list.back() = std::make_shared<const Chunk>(std::move(both));
            return;
        }
        begins.push_back(begins.back() + chunk->size());
        chunks.list.push_back(std::move(chunk));
    }

    std::shared_ptr<const Chunks> m_chunks; // null: empty
};

/// Visits in order what is in one of them only, or another value: `visit(before, now)`, null: not there.
template <typename Value, typename Visit>
void forEachDifference(const SortedList<Value> &before, const SortedList<Value> &now, Visit visit)
{
    const std::shared_ptr<const Value> none;
    const auto oldEnd = before.end();
    const auto nextEnd = now.end();
    auto old = before.begin();
    auto next = now.begin();
    while (old != oldEnd || next != nextEnd) {
        if (skipShared(old, next))
            continue;
        const int order = old == oldEnd ? 1
            : next == nextEnd           ? -1
            : *old == *next             ? 0
                                        : lockNameOf(**old).compare(lockNameOf(**next));
        const auto &was = order <= 0 ? *old : none;
        const auto &is = order >= 0 ? *next : none;
        if (was != is)
            visit(was, is);
        old += order <= 0 ? 1 : 0;
        next += order >= 0 ? 1 : 0;
    }
}

} // namespace lockcore::monitor
