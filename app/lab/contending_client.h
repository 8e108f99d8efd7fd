// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/client_process.h"
#include "ui/lab/contention_course.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What a client gives back as it ends.
struct GivenBack {
    lockui::lab::GroupId group{};
    lockcore::LockName lock;
    lockcore::synchronizers::Kind kind = lockcore::synchronizers::Kind::Reentrant;
    std::string name; // the client's
    std::string id;
    std::vector<std::optional<lockcore::synchronizers::HoldMode>> holds; // empty: at most what it waits for
};

/// What all clients of free play need to begin.
struct ContendingOptions {
    QString clientProgram; // lockctl
    lockcore::transport::Deployment server;
    lockui::lab::RandomNumber random;
    /// Its lock may be that of others: no permits are set there, and what the client has is given back at its end.
    bool isOfOthers = false;
    std::function<void(const lockcore::LockName &)> keepsIt = [](const lockcore::LockName &) {}; // it could not be
    std::function<void(const GivenBack &)> givesBack = [](const GivenBack &) {}; // from now on
    std::function<void(const GivenBack &, bool isAll)> gaveBack = [](const GivenBack &, bool) {};
};

/// One client of free play, a process of its own: thinks, takes the lock, holds it, gives it back, and so on as long as
/// it is left to itself. Destroyed it dies as it stands, and nothing is given back, unless its lock is that of others.
class ContendingClient : public QObject {
    Q_OBJECT
public:
    ContendingClient(std::uint64_t number, std::string name, const ContendingOptions &options);
    ~ContendingClient() override;

    void setWork(const lockui::lab::GroupSettings &settings, const lockcore::LockName &lock);
    void start();
    bool mayAct(lockui::lab::HandAct act) const; // by hand, as it stands
    void act(lockui::lab::HandAct act); // what it may not is left undone
    /// True: it is about to begin, and tells readyTo() when it can do that, unless something else becomes of it.
    [[nodiscard]] bool keepsForLater(lockui::lab::HandAct act);
    void crash(); // kill -9, and it comes back by itself after a while
    void leave(); // gives back what it holds; then it tells left()
    void close(); // it is destroyed next

    std::uint64_t number() const { return m_number; } // never given again
    const lockui::lab::ContenderState &state() const { return m_state; }
    bool takesPart() const; // by itself, now
    /// A fixed lease ends without a word to its holder.
    lockui::lab::ContenderState stateAt(lockcore::MonoTime now) const;
    /// Holds it as far as it knows, and nobody has told it otherwise.
    bool goesOnAsHolder() const;

Q_SIGNALS:
    void partChanged(); // of takesPart()
    void acquired(std::chrono::microseconds waited);
    void diedHolding(const lockui::lab::HolderGhost &ghost); // one for each hold that it did not give back
    void left();
    void readyTo(lockui::lab::HandAct act);
    void acted(const lockui::lab::HandOutcome &outcome);
    void failed(const lockcore::Error &error); // its program cannot be started at all

private:
    void ready();
    void ended(const lockcore::Error &error);
    void told(const ClientNews &news);
    void unanswered(lockcore::MonoTime since);
    void answered();
    void goOn(lockui::lab::CourseStep last, bool acquired = false);
    void begin(const lockui::lab::NextStep &next);
    void think(lockui::lab::Micros time);
    void timeIsOver();
    void setUp();
    void lock(std::optional<lockcore::synchronizers::HoldMode> mode, std::optional<lockui::lab::HandAct> byHand = {});
    void lockByHand(lockui::lab::HandAct act);
    void giveUp();
    void orderByHand(lockui::lab::HandAct act);
    void locked(const lockui::lab::Step &asked, const ClientAnswer &answer, bool hadPerhaps);
    void gotIt(const lockui::lab::Step &asked, const ClientAnswer &answer);
    void unlock(std::optional<lockui::lab::HandAct> byHand = {});
    void unlocked(const ClientAnswer &answer);
    bool mayHaveEnded() const;
    void leaseBegins(lockcore::Millis lease);
    void leaveGhosts();
    void setPhase(lockui::lab::ClientPhase phase);
    void setByHand(bool byHand);
    void letGo();
    void setPaused(bool paused);
    void giveBack();
    void die();
    void startAgain();
    void holdsNothing();
    void tellHolds();
    void tellPart();
    void report(lockui::lab::HandAct act, const ClientAnswer &answer = {});
    QStringList arguments() const;
    lockui::lab::Step stepOf(lockui::lab::Act act, std::optional<lockcore::synchronizers::HoldMode> mode) const;

    const std::uint64_t m_number;
    const ContendingOptions m_options;
    lockui::lab::GroupSettings m_settings;
    lockcore::LockName m_lock;
    lockui::lab::ContenderState m_state;
    std::vector<std::optional<lockcore::synchronizers::HoldMode>> m_holds;
    std::optional<lockcore::MonoTime> m_heldSince;
    std::optional<lockcore::MonoTime> m_leaseEnds; // one that nobody renews
    lockcore::Millis m_lease{ 0 }; // of what it took last
    std::optional<lockcore::MonoTime> m_stillSince; // and its watchdog with it
    bool m_isRenewed = false; // what it holds: by its watchdog
    std::uint64_t m_waiting = 0; // the order to lock
    bool m_givesUp = false; // that one
    QStringList m_startedWith; // a process has its arguments for life
    std::optional<lockui::lab::HandAct> m_kept; // that it was told as it began
    bool m_hasBeenReady = false;
    std::optional<GivenBack> m_givesBack; // it ends
    bool m_mayHave = false; // its process, something of the lock, as far as it is known here
    bool m_tookPart = false;
    QTimer m_timer; // it thinks or holds
    std::optional<int> m_timeLeft; // of that, while it stands still
    QTimer m_back; // after a crash
    std::unique_ptr<ClientProcess> m_process;
};

} // namespace app
