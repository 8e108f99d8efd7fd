// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "ui/support/wait_counts.h"
#include "ui/text/event_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockui {

/// Texts that are kept once however often they are used, and go with their last use.
class TextTable {
public:
    using Id = std::uint32_t;
    static constexpr Id None = 0;

    TextTable() = default;
    TextTable(TextTable &&) = default; // a copy would point into the original
    TextTable &operator=(TextTable &&) = default;

    Id use(std::string_view text); // once more
    void release(Id id); // once less
    Id find(std::string_view text) const; // None: it is not in use
    const std::string &text(Id id) const { return m_entries[id].text; }
    std::size_t bytes() const;
    void clear();

private:
    struct Entry {
        std::string text;
        std::uint32_t uses = 0;
    };

    std::deque<Entry> m_entries{ 1 }; // never moved in memory: the keys below point into it
    std::vector<Id> m_free;
    std::unordered_map<std::string_view, Id> m_ids;
    std::size_t m_heapBytes = 0; // of the texts
};

/// When the first of them happened to a lock: by then its server was listened to. Absent: none of them did.
std::optional<lockcore::WallTime> firstOfLocks(const std::vector<lockcore::monitor::Event> &events);

/// All events of what is shown, in the order in which they were heard; beyond the limits the oldest go. A snapshot does
/// not tell what happened, nor of a lock that is gone.
class EventStore {
public:
    struct Limits {
        std::size_t events = 2'500'000;
        std::size_t bytes = std::size_t{ 192 } << 20U;
    };

    /// Counts all events that were ever heard: one keeps its place until it goes.
    using Place = std::uint64_t;

    /// One event, in few bytes. Other events are named by how far they are from this one; zero: there is none.
    struct Record {
        lockcore::WallTime at;
        std::int64_t count = 0;
        std::int64_t ttl = 0; // milliseconds
        TextTable::Id lock = TextTable::None;
        TextTable::Id owner = TextTable::None; // of a slow command its name and key, of a new master the former one
        std::uint32_t beforeOfLock = 0; // the one before it of the same lock
        std::uint32_t runLength = 0; // renewals of one hold that follow each other, up to this one; zero: it is none
        std::uint32_t runBegin = 0; // the first of these
        std::uint32_t nextOfRun = 0; // the renewal after it, of the same hold
        std::uint16_t node = 0;
        lockcore::monitor::EventKind kind = lockcore::monitor::EventKind::Appeared;
        std::uint8_t lockKind = NoKind;
        bool hasCount : 1 = false;
        bool hasTtl : 1 = false;
        bool byLockscope : 1 = false;
        lockcore::monitor::Certainty certainty : 2 = lockcore::monitor::Certainty::Seen;
    };
    static constexpr std::uint8_t NoKind = 255;
    static constexpr std::size_t KindCount = 22;

    static constexpr lockcore::Millis HeardWithin{ 2'000 }; // after it was done

    /// What this window did to others, and what is heard of it then.
    struct OwnDeed {
        lockcore::LockName lock;
        lockcore::monitor::EventKind kind = lockcore::monitor::EventKind::ForceReleased;
        std::vector<lockcore::OwnerId> owners; // to whom; empty: Redis does not tell
        lockcore::WallTime from; // when it was sent
        lockcore::WallTime to; // when it was answered
    };

    EventStore() = default;
    explicit EventStore(Limits limits);

    void remember(OwnDeed deed);

    void add(const std::vector<lockcore::monitor::Event> &events);
    void clear(); // another connection, or another moment of a recording
    void forgetServers() { m_areCopies = false; } // another connection
    /// It became known what an event was: it is told so from now on.
    void correct(Place place, lockcore::monitor::EventKind kind, lockcore::monitor::Certainty certainty);
    /// In the order in which that was done, also those that have gone since: as many as others released by force.
    const std::vector<Place> &corrected() const { return m_corrected; }

    /// All is heard from that moment on, or from the first event that is told of a moment before: nothing is known of
    /// what was before. Nobody says so of a recording.
    void heardFrom(lockcore::WallTime moment);
    std::optional<lockcore::WallTime> since() const { return m_since; } // absent: not known, as in a recording
    bool hasDropped() const { return m_dropped; } // older ones than there are were heard, too
    /// Of a recording, until the next clear(): older ones than there are were recorded, and cannot be read.
    void lacksDamaged() { m_lacksDamaged = true; }
    bool hasDamaged() const { return m_lacksDamaged; }

    /// All keys of a server were looked at once more; without a name, those of all servers.
    void lookedAtAll(lockcore::WallTime moment, const std::string &node = {});
    using Looks = std::map<std::string, std::deque<lockcore::WallTime>>; // by server, oldest first; bounded
    const Looks &looks() const { return m_looks; }
    void look(const lockcore::monitor::Snapshot &snapshot); // at all keys, as that tells of it

    /// Whether its servers are independent, each with a copy of a lock.
    void lookAtServers(const lockcore::monitor::Snapshot &snapshot);

    WaitCounts &waits() { return m_waits; }
    const WaitCounts &waits() const { return m_waits; }

    /// While a moment is held, what comes after it is kept, and not shown.
    void hold(bool held);
    Place shownEnd() const { return m_held ? std::max(m_held->end, m_first) : end(); }
    std::size_t shownSize() const { return static_cast<std::size_t>(shownEnd() - m_first); }
    std::size_t shownCountOf(lockcore::monitor::EventKind kind) const;

    Place first() const { return m_first; }
    Place end() const { return m_first + m_records.size(); }
    std::size_t size() const { return m_records.size(); }
    bool has(Place place) const { return place >= m_first && place < end(); }
    const Record &record(Place place) const { return m_records[place - m_first]; }
    lockcore::monitor::Event event(Place place) const;
    EventContext contextOf(Place place) const; // at the cost of a short walk back
    EventContext contextOfOne(Place place) const; // likewise, without those of the same run
    const lockcore::LockName &lockName(const Record &record) const { return m_locks.text(record.lock); }
    bool concerns(const Record &record, const std::string &node) const; // it is of that node, or of all

    std::optional<Place> newestOf(const lockcore::LockName &lock) const;
    std::optional<Place> newestShownOf(const lockcore::LockName &lock) const; // none that came while a moment is held
    std::optional<Place> beforeOfLock(Place place) const; // the one before it of the same lock
    const std::deque<Place> &gaps() const { return m_gaps; } // oldest first
    const std::deque<Place> &upheavals() const { return m_upheavals; } // all keys of a server may be gone; oldest first

    // Of one lock, from as far back as a chart shows.
    std::vector<lockcore::monitor::Event> beginningsOf(const lockcore::LockName &lock) const; // oldest first
    /// Since when nobody had held it, as far as was heard, when it was taken at that moment; absent: not known.
    std::optional<lockcore::WallTime> freeSince(const lockcore::LockName &lock, lockcore::WallTime taken) const;
    std::vector<lockcore::monitor::Event> gapsOf(const std::string &node) const; // and of all nodes, oldest first
    std::optional<lockcore::monitor::Event> endOf(
        const lockcore::LockName &lock) const; // absent: held since, or not seen
    /// It was taken, renewed or waited for anew after that moment, or its number changed: how it looked then is not how
    /// it looked at last.
    bool wentOnAfter(const lockcore::LockName &lock, lockcore::WallTime seen) const;

    /// What may have taken all keys of its server with it, right before that end; absent: nothing was heard,
    /// or what ended was seen after it.
    std::optional<lockcore::monitor::Event> upheavalBefore(const lockcore::monitor::Event &end) const;

    /// Since when nothing was seen of that server, where something ended in that time: it ended then or later. Absent:
    /// all was seen. `seenAt`: it was there, seen for the last time.
    std::optional<lockcore::WallTime> unseenBefore(
        lockcore::WallTime end, const std::string &node, lockcore::WallTime seenAt) const;

    std::size_t bytes() const;

private:
    void keep(const lockcore::monitor::Event &event);
    void joinRun(Record &record, Place place);
    void dropOldest();
    std::uint16_t nodeId(const std::string &node);
    bool isOwnDeed(Place place) const;

    // What was before, and what follows from it.
    /// What is known of a hold's beginning.
    struct HeldSince {
        lockcore::WallTime at;
        bool isBegin = false; // else it was held already
        lockcore::monitor::Certainty certainty = lockcore::monitor::Certainty::Seen;
    };
    lockcore::monitor::KnownSince sinceOf(Place place) const; // of what the event tells of
    std::optional<Place> beforeOfOwner(Place place) const; // the one before it of the same lock and owner
    std::optional<Place> beforeThere(Place place) const;
    bool wasSeenBetween(Place from, Place to) const; // no gap lies there
    std::optional<lockcore::WallTime> seenAgain(Place from, Place to, lockcore::WallTime until) const;
    std::optional<SeenTime> lengthOfRun(Place place) const;
    std::optional<std::int64_t> countBefore(Place place) const;
    bool isLinedUpAgain(Place queued) const; // right when it had left
    bool linesUpAgain(Place left) const;
    std::optional<SeenTime> waitedUntil(Place place) const;
    std::optional<lockcore::WallTime> unseenUntil(Place place) const;
    std::optional<SeenTime> heldUntil(Place place) const;
    std::optional<HeldSince> heldSince(Place end, lockcore::WallTime until) const;
    bool stoodBefore(Place place, lockcore::WallTime until) const; // all that is kept
    bool isHeldElsewhere(Place end) const;
    bool wasThereAfter(Place upheaval, const lockcore::monitor::Event &end) const;

    Limits m_limits;
    std::deque<Record> m_records;
    Place m_first = 0;
    bool m_dropped = false;
    bool m_lacksDamaged = false;
    bool m_areCopies = false; // of one lock, on independent servers
    std::optional<lockcore::WallTime> m_since;
    std::optional<lockcore::WallTime> m_firstOfLocks; // that was told before that was known
    Looks m_looks;
    WaitCounts m_waits;
    TextTable m_locks;
    TextTable m_owners;
    std::vector<std::string> m_nodes{ 1 }; // a deployment has few; the first stands for all of them
    std::vector<Place> m_newestOfLock; // by its id: a place more, so that zero is none
    std::deque<Place> m_gaps;
    std::deque<Place> m_upheavals;
    std::map<Place, lockcore::monitor::KnownSince> m_sinces; // of what a recording began with
    std::deque<OwnDeed> m_deeds;
    std::vector<Place> m_corrected;
    std::array<std::size_t, KindCount> m_counts{};
    struct Held {
        Place end;
        std::array<std::size_t, KindCount> counts;
    };
    std::optional<Held> m_held; // absent: the newest is shown
};

} // namespace lockui
