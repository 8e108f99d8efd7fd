// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/player.h"

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui::lab {

/// How far the last play of a scenario came.
enum class Verdict { None, Running, Passed, Failed };

/// The plays of a window: one at a time, and of each scenario what is known of the last.
class LabSession : public QObject {
    Q_OBJECT
public:
    enum class State {
        Idle,
        Preparing, // servers and clients start
        Running,
        Paused, // by a person
    };

    explicit LabSession(LabTools tools, QObject *parent = nullptr);
    ~LabSession() override;

    const std::vector<LabNeed> &missing() const { return m_missing; } // as looked at last
    void lookForTools();
    bool canPlay() const { return m_tools.makePlayer && m_missing.empty(); }

    void run(const Scenario &scenario, bool paused = false); // where nothing runs
    void setPaused(bool paused);
    void step(); // while it is paused
    void stop(); // in the middle; waits until nothing is left of it
    void setSpeed(double speed); // of this play and those that follow
    double speed() const { return m_speed; }

    State state() const { return m_state; }
    bool isPaused() const { return m_isPaused; } // the play, by a person, also before its first step
    bool isPlaying() const { return m_state != State::Idle; }
    const Player *player() const { return m_player.get(); } // null: nothing runs
    const std::string &playing() const { return m_playing; } // its name; empty: nothing

    Verdict verdictOf(const std::string &name) const;
    const PlayRecord *recordOf(const std::string &name) const; // of the last play; null: there was none
    std::optional<lockcore::Error> errorOf(const std::string &name) const; // why it could not be played
    bool wasStopped(const std::string &name) const; // in the middle

Q_SIGNALS:
    void changed(); // its state, or what is known of plays that are over
    void stepChanged(std::size_t step); // of the play
    void recordChanged();

private:
    struct Played {
        PlayRecord record;
        Verdict verdict = Verdict::None;
        std::optional<lockcore::Error> error;
        bool wasStopped = false;
    };

    void begin();
    void finish(bool allPassed);
    void fail(const lockcore::Error &error);
    void end(Verdict verdict);
    const Played *playedOf(const std::string &name) const;

    LabTools m_tools;
    std::vector<LabNeed> m_missing;
    std::map<std::string, Played> m_played; // by name
    std::unique_ptr<Player> m_player;
    std::string m_playing;
    State m_state = State::Idle;
    bool m_isPaused = false;
    double m_speed = 1;
};

} // namespace lockui::lab
