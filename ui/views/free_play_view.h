// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/deployment.h"
#include "ui/models/free_play_groups.h"
#include "ui/models/free_play_presets.h"
#include "ui/models/hand_witness.h"
#include "ui/views/free_play_run.h"

#include <QWidget>

#include <memory>
#include <vector>

class QStackedWidget;

namespace lockui {

class EmptyState;
class FreePlayCards;
class FreePlayHands;
class FreePlayHead;
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
    FreePlayView(const Theme &theme, const ViewClock &clock, FreePlayRun::MakeFreePlay make, QWidget *parent = nullptr);
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

protected:
    void hideEvent(QHideEvent *event) override;

Q_SIGNALS:
    void handsChanged(); // of hands()
    void watchRequested(const lockcore::transport::Deployment &server); // in the window
    void ended(); // its server is gone
    void phaseChanged(); // of isRunning()

private:
    void build();
    void connectAll();
    FreePlayPlace &where() const;

    void begin();
    QString whyNotStart() const; // empty: it can
    void placeChosen();
    void showPlace();
    void showKnobs();
    void showWarning();
    void askMonitor(); // what it sees of whom a person leads
    void take(const FreePlayPreset &preset);
    bool mayAddGroup() const;
    void addGroup(const lab::GroupSettings &group);
    void removeGroup(std::size_t index);
    void chooseGroup(std::size_t index);
    void arrange();
    void tellPhase();
    void tellOutcome(const lab::HandOutcome &outcome);
    void showEmpty();
    void showGroups();
    void showHead();
    QStringList noteTexts() const;
    void showHand();
    const lab::ContenderState *chosenClient() const;

    std::vector<FreePlayPreset> m_presets = freePlayPresets();
    FreePlayGroups m_groups;
    FreePlayRun *m_run;
    HandWitness m_witness;
    bool m_mayContend = false; // a person has said so, of the connected server, for this run
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot; // null: none was seen

    FreePlayHead *m_head;
    FreePlayKnobs *m_knobs;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QWidget *m_body;
    FreePlayCards *m_cards;
    HandBar *m_hand; // of the client that is chosen
    FreePlayHands *m_hands;
};

} // namespace lockui
