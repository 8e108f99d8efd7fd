// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"
#include "ui/views/connected_place.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockui {

/// What is played freely, from its beginning to its end, and what is still to be seen of it then.
class FreePlayRun : public QObject {
    Q_OBJECT
public:
    using MakeFreePlay = std::function<std::unique_ptr<lab::FreePlay>()>;
    struct Failure {
        lockcore::Error error;
        bool hadBegun;
    };

    FreePlayRun(MakeFreePlay make, QObject *parent);

    lab::FreePlayPhase phase() const { return m_phase; }
    bool isOn() const { return m_phase != lab::FreePlayPhase::Stopped; }
    bool goesOn() const { return m_phase == lab::FreePlayPhase::Starting || m_phase == lab::FreePlayPhase::Running; }
    const lab::FreePlayState *shown() const { return m_shown.get(); } // null: nothing, or it was forgotten
    const lab::GroupState *group(lab::GroupId id) const; // null: nothing is known of it
    const lab::ContenderState *client(lab::GroupId group, const std::string &name) const; // likewise
    bool isHeld(lab::GroupId group) const; // its lock, by one of its clients, or one waits for it
    std::optional<lockcore::WallTime> endedAt() const { return m_endedAt; } // absent: it did not, or nothing was played
    const std::optional<Failure> &failure() const { return m_failure; } // of what was begun last

    /// `place`: null: on a private server.
    void begin(const std::vector<lab::GroupSettings> &groups, const ConnectedPlace *place);
    void stop();
    void setGroups(const std::vector<lab::GroupSettings> &groups); // while it is on
    void act(lab::GroupId group, const std::string &client, lab::HandAct act);
    void forget(); // what was played, and how it failed
    void forgetFailure() { m_failure.reset(); }

Q_SIGNALS:
    void changed(const lockui::lab::FreePlayState &state);
    void failed();
    void ended(); // its server is gone
    void phaseChanged();
    void acted(const lockui::lab::HandOutcome &outcome);
    void cutShort(const lockcore::Error &error);
    void leftBehind(const lockcore::Error &error);

private:
    void make();
    void setPhase(lab::FreePlayPhase phase);
    void setState(const std::shared_ptr<const lab::FreePlayState> &state);
    void setError(const lockcore::Error &error);

    MakeFreePlay m_make;
    std::unique_ptr<lab::FreePlay> m_play; // null: nothing was played yet
    lab::FreePlayPhase m_phase = lab::FreePlayPhase::Stopped;
    std::shared_ptr<const lab::FreePlayState> m_shown; // the last one that ran
    std::optional<lockcore::WallTime> m_endedAt;
    std::optional<Failure> m_failure;
};

} // namespace lockui
