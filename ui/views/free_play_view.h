// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/deployment.h"
#include "ui/lab/free_play.h"
#include "ui/models/free_play_presets.h"
#include "ui/views/connected_place.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace lockui {

class ElidedLabel;
class EmptyState;
class FreePlayCard;
class FreePlayKnobs;
class FreePlayPlace;
class HandBar;
class Theme;
class ViewClock;

/// Groups of clients that contend for a lock each, side by side: knobs at the left, curves and clients at the right,
/// and below them what a person does with one client. On a private server, unless a person chooses the connected one;
/// there groups contend under names of their own, and only what is led by hand takes the lock that a person names.
class FreePlayView : public QWidget {
    Q_OBJECT
public:
    using MakeFreePlay = std::function<std::unique_ptr<lab::FreePlay>()>;

    FreePlayView(const Theme &theme, const ViewClock &clock, MakeFreePlay make, QWidget *parent = nullptr);
    ~FreePlayView() override;

    void start();
    void stop();
    bool isRunning() const;
    bool isOnConnected() const; // it is chosen, whether it runs or not
    std::vector<lab::HandHold> hands() const; // none where it ends, since the window has left that server

    void setConnected(const ConnectedPlace &place); // where it runs and may no longer, it ends
    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot); // of that server
    /// By hand on the connected server, if nothing runs elsewhere. Null: a lock that a person is going to name.
    void lead(const lockcore::monitor::LockState *lock);

Q_SIGNALS:
    void handsChanged(); // of hands()
    void watchRequested(const lockcore::transport::Deployment &server); // in the window
    void ended(); // its server is gone
    void phaseChanged(); // of isRunning()

private:
    QWidget *buildHead();
    QWidget *buildCards();

    void begin();
    QString whyNotStart() const; // empty: it can
    void placeChosen();
    void tellLeftPlace();
    void showPlace();
    void showKnobs();
    void showWarning();
    void copyAddress() const;
    void take(const FreePlayPreset &preset);
    void takeUp(lab::GroupSettings settings);
    void addGroup();
    void removeGroup(std::size_t index);
    void chooseGroup(std::size_t index);
    void turned();
    void arrange();
    void setState(const std::shared_ptr<const lab::FreePlayState> &state);
    void setError(const lockcore::Error &error);
    void tellOutcome(const lab::HandOutcome &outcome);
    void tellCutShort(const lockcore::Error &error);
    void tellLeft(const lockcore::Error &error);
    void showEmpty();
    void showGroups();
    void showHead();
    QString noteText() const;
    const lab::GroupState *stateOf(lab::GroupId id) const; // null: nothing is known of it
    void showHand();
    void setPhase(lab::FreePlayPhase phase);
    const lab::ContenderState *chosenClient() const;

    const Theme &m_theme;
    const ViewClock &m_clock;
    MakeFreePlay m_make;
    std::vector<FreePlayPreset> m_presets = freePlayPresets();
    std::unique_ptr<lab::FreePlay> m_play; // null: nothing was played yet
    std::vector<lab::GroupSettings> m_groups;
    std::uint64_t m_lastGroup = 0;
    std::size_t m_chosen = 0; // group
    lab::FreePlayPhase m_phase = lab::FreePlayPhase::Stopped;
    std::shared_ptr<const lab::FreePlayState> m_shown; // the last one that had groups; null: there was none
    std::optional<lockcore::WallTime> m_endedAt; // absent: it runs, or nothing was played
    struct Failure {
        lockcore::Error error;
        bool hadBegun;
    };
    std::optional<Failure> m_failure; // of what was begun last, until another place or beginning is chosen
    QString
        m_endedOn; // the title of the connected server where it ended, since the window has left it; empty: it did not
    bool m_gaveBack = false; // then: clients that are led by hand had something
    bool m_isSomethingLeft = false; // on the connected server, since what was begun last
    bool m_mayContend = false; // a person has said so, of the connected server, for this run
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot; // null: none was seen
    std::vector<lab::HandHold> m_hands;

    FreePlayPlace *m_place;
    QComboBox *m_preset;
    QPushButton *m_startStop;
    QToolButton *m_add;
    QPushButton *m_watch;
    QToolButton *m_copy;
    ElidedLabel *m_note;
    FreePlayKnobs *m_knobs;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QWidget *m_body;
    QHBoxLayout *m_cardLine;
    std::vector<FreePlayCard *> m_cards; // one a group

    HandBar *m_hand;
};

} // namespace lockui
