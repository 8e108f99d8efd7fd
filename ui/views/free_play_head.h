// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"
#include "ui/lab/free_play.h"
#include "ui/models/free_play_presets.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QPushButton;
class QToolButton;

namespace lockui {

class ElidedLabel;
class FreePlayPlace;
class PressGuard;

/// The bar at the top of free play: where it is played, with what it begins, and that it begins or ends.
class FreePlayHead : public QWidget {
    Q_OBJECT
public:
    struct Shown {
        lab::FreePlayPhase phase{};
        QString whyNotStart{}; // empty: it can
        std::string server{}; // where it runs; empty: not known yet
        bool mayAdd{}; // one more group
        QStringList notes{}; // one, and the same shorter
    };

    FreePlayHead(const std::vector<FreePlayPreset> &presets, QWidget *parent);

    FreePlayPlace &place() { return *m_place; }
    const FreePlayPlace &place() const { return *m_place; }
    std::size_t preset() const;
    void choosePreset(std::size_t preset); // without a signal
    void setAbout(const QString &about); // what is begun with

    /// `harmless` has the focus where a control can be used no more.
    void setShown(const Shown &shown, QWidget &harmless);

Q_SIGNALS:
    void placeChosen();
    void presetChosen(std::size_t preset);
    void startRequested();
    void stopRequested();
    void addRequested();
    void watchRequested(const lockcore::transport::Deployment &server);

private:
    void build(const std::vector<FreePlayPreset> &presets);
    void connectAll();

    Shown m_shown;
    FreePlayPlace *m_place;
    QComboBox *m_preset;
    QPushButton *m_startStop;
    QToolButton *m_add;
    QPushButton *m_watch;
    QToolButton *m_copy;
    ElidedLabel *m_note;
    PressGuard *m_presses;
};

} // namespace lockui
