// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"
#include "ui/lab/free_play.h"
#include "ui/models/free_play_presets.h"

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
class Theme;
class ViewClock;

/// Groups of clients that contend for a lock each, side by side: knobs at the left, curves and clients at the right,
/// and below them what a person does with one client. On a private server; nothing of it touches the connection of the
/// window.
class FreePlayView : public QWidget {
    Q_OBJECT
public:
    using MakeFreePlay = std::function<std::unique_ptr<lab::FreePlay>()>;

    FreePlayView(const Theme &theme, const ViewClock &clock, MakeFreePlay make, QWidget *parent = nullptr);
    ~FreePlayView() override;

    void start();
    void stop();
    bool isRunning() const;

Q_SIGNALS:
    void watchRequested(const lockcore::transport::Deployment &server); // in the window
    void ended(); // its server is gone
    void phaseChanged(); // of isRunning()

private:
    QWidget *buildHead();
    QWidget *buildCards();
    QWidget *buildHand();
    QPushButton *newAct(
        QHBoxLayout &layout, const QString &text, const QString &toolTip, std::function<lab::HandAct()> act);

    void take(const FreePlayPreset &preset);
    void takeUp(lab::GroupSettings settings);
    void addGroup();
    void removeGroup(std::size_t index);
    void chooseGroup(std::size_t index);
    void turned();
    void arrange();
    void setState(const std::shared_ptr<const lab::FreePlayState> &state);
    void setError(const lockcore::Error &error);
    void showGroups();
    void showHead();
    void showHand();
    void setPhase(lab::FreePlayPhase phase);
    const lab::ContenderState *chosenClient() const;
    void actOnChosen(lab::HandAct act);

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
    QString m_handSaid;

    QComboBox *m_preset;
    QPushButton *m_startStop;
    QToolButton *m_add;
    QPushButton *m_watch;
    ElidedLabel *m_note;
    FreePlayKnobs *m_knobs;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QWidget *m_body;
    QHBoxLayout *m_cardLine;
    std::vector<FreePlayCard *> m_cards; // one a group

    QWidget *m_hand;
    ElidedLabel *m_handTitle;
    QPushButton *m_takeOver;
    QPushButton *m_lock;
    QPushButton *m_lockToRead;
    QPushButton *m_unlock;
    QPushButton *m_pause;
    QPushButton *m_crash;
};

} // namespace lockui
