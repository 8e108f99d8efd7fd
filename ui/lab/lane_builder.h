// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lane.h"
#include "ui/lab/play_record.h"

#include <algorithm>

namespace lockui::lab {

/// Goes through all that is known of a play in the order of time.
class LaneBuilder {
public:
    LaneBuilder(const PlayRecord &record, lockcore::MonoTime now);

    Lanes build();

private:
    enum class Stage { Began, Ended, Told }; // at the same moment they are looked at in this order
    struct Moment {
        lockcore::MonoTime at;
        Stage stage = Stage::Began;
        std::size_t index = 0; // of a step, or of an event
    };
    /// A client, between two deaths of it.
    struct Life {
        std::size_t lane = 0;
        std::size_t number = 0;
    };
    struct RowPlace {
        std::size_t lane = 0;
        std::size_t row = 0;
    };
    /// What the monitor has told of a row, beside what is drawn of it.
    struct Told {
        std::optional<lockcore::MonoTime> heldAt; // the last time that it was held
        std::optional<lockcore::MonoTime>
            awaitsEndSince; // its client has ended a hold, and the monitor has not told of that end
        bool isEndTold = false; // before its client has said so
        bool isQueued = false;
    };

    bool isKnown(std::optional<lockcore::MonoTime> at) const { return at && *at <= m_now; }
    std::vector<Moment> moments() const;
    std::size_t laneOf(const std::string &client) const;
    std::optional<Life> lifeOf(const lockcore::monitor::Event &event) const;
    bool isDead(const Life &life) const { return m_isDead[life.lane] || life.number < m_lives[life.lane]; }

    void began(std::size_t step);
    void ended(std::size_t step);
    void answered(std::size_t step);
    lockcore::MonoTime toldOfItsEnd(
        const Step &step, const LaneRow &row, const LaneHold &hold, lockcore::MonoTime answered) const;
    void acquired(std::size_t step, const RowPlace &place);
    void unlocked(std::size_t step, const RowPlace &place);
    void doneToClient(std::size_t step);
    void kill(std::size_t lane, lockcore::MonoTime at);
    void forceReleased(std::size_t step);
    void doneToServer(std::size_t step);

    void told(const lockcore::monitor::Event &event);
    void toldOfServer(const lockcore::monitor::Event &event, lockcore::MonoTime at);
    void toldHeld(const lockcore::monitor::Event &event, const Life &life, lockcore::MonoTime at);
    void toldEnd(const lockcore::monitor::Event &event, const Life &life, lockcore::MonoTime at);
    void toldQueue(const lockcore::monitor::Event &event, const Life &life, lockcore::MonoTime at);
    bool clientSaysOtherwise(const LaneRow &row, std::size_t lane, lockcore::MonoTime at) const;
    bool mayHaveTakenIt(const LaneRow &row, std::size_t lane, lockcore::MonoTime at) const;

    void endHold(
        const RowPlace &place, lockcore::MonoTime at, SpanEnd end, Known known, std::optional<std::size_t> step = {});
    void mark(std::size_t lane, LaneMark::What what, lockcore::MonoTime at, std::optional<std::size_t> step);
    void makeRow(std::size_t step, const lockcore::LockName &lock);
    std::vector<RowPlace> placesOf(std::size_t step) const;
    std::vector<RowPlace> placesOf(const lockcore::monitor::Event &event, const Life &life) const;

    LaneRow &rowAt(const RowPlace &place) { return m_lanes.clients[place.lane].rows[place.row]; }
    const Step &stepAt(std::size_t step) const { return m_record.scenario.steps[step]; }
    const StepProgress &progressOf(std::size_t step) const { return m_record.progress[step]; }
    lockcore::MonoTime endOf(std::size_t step) const { return *progressOf(step).endedAt; }
    lockcore::MonoTime endOfAsking(std::size_t step) const;

    const PlayRecord &m_record;
    lockcore::MonoTime m_now;
    Lanes m_lanes;
    std::vector<std::vector<Told>> m_told; // for each row
    std::vector<std::size_t> m_lives; // of each client, that it leads now
    std::vector<bool> m_isDead;
    std::vector<std::size_t> m_lifeOfStep; // in which its client began it
};

/// What is open in a row; null: nothing is.
inline LaneHold *openHold(LaneRow &row)
{
    return !row.holds.empty() && row.holds.back().end == SpanEnd::None ? &row.holds.back() : nullptr;
}

inline LaneGhost *openGhost(LaneRow &row)
{
    return !row.ghosts.empty() && row.ghosts.back().end == SpanEnd::None ? &row.ghosts.back() : nullptr;
}

/// Of a multi-lock all its members.
inline std::vector<lockcore::LockName> locksOf(const Step &step)
{
    return step.locks.empty() ? std::vector{ step.lock } : step.locks;
}

/// Whether a row shows what the step does with one of its locks; of whichever life.
inline bool isAbout(const Step &step, const LaneRow &row)
{
    const auto locks = locksOf(step);
    return step.thread == row.thread && step.mode == row.mode && std::ranges::find(locks, row.lock) != locks.end();
}

/// Redis has let its client unlock it, once or altogether.
inline bool isUnlocked(const StepProgress &progress)
{
    return progress.outcome == Outcome::Released || progress.outcome == Outcome::StillHeld;
}

} // namespace lockui::lab
