// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/contending_client.h"
#include "ui/lab/contention_figures.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace app {

/// Clients that contend for one lock, what they got, and what was seen of them that must not be: two at once.
/// Destroyed they die as they stand, or give back what they have: see ContendingClient.
class ContentionGroup : public QObject {
    Q_OBJECT
public:
    ContentionGroup(
        const lockui::lab::GroupSettings &settings, lockcore::LockName lock, const ContendingOptions &options);
    ~ContentionGroup() override;

    /// Whether it can go on with these, or they are of another lock.
    bool canChangeTo(const lockui::lab::GroupSettings &settings) const;
    void change(const lockui::lab::GroupSettings &settings);
    bool mayAct(const std::string &client, lockui::lab::HandAct act) const; // else act() does nothing
    void act(const std::string &client, lockui::lab::HandAct act);
    /// True: that client is about to begin, and the group tells readyTo() when it can do that.
    [[nodiscard]] bool keepsForLater(const std::string &client, lockui::lab::HandAct act);
    void close(); // it is destroyed next

    lockui::lab::GroupId id() const { return m_state.settings.id; }
    lockui::lab::GroupState state(lockcore::MonoTime now);

Q_SIGNALS:
    void readyTo(const std::string &client, lockui::lab::HandAct act);
    void acted(const lockui::lab::HandOutcome &outcome);
    void failed(const lockcore::Error &error);

private:
    using Client = std::unique_ptr<ContendingClient>;

    ContendingClient *find(const std::string &client) const; // null: there is none
    void addClient();
    void remove(const ContendingClient *client);
    void destroyRemoved();
    void partChanged(const ContendingClient &client);
    void acquired(const ContendingClient &client, lockui::lab::Micros waited);
    void layGhosts(std::optional<lockcore::synchronizers::HoldMode> taken);
    void armCrash();
    void crashOne();
    std::string freeName() const;

    ContendingOptions m_options;
    lockui::lab::GroupState m_state; // without what each client is at
    lockui::lab::ContentionFigures m_figures;
    std::vector<Client> m_clients;
    std::vector<Client> m_removed; // that are to be destroyed next, and not after the group
    std::uint64_t m_lastNumber = 0;
    QTimer m_crash;
    std::int64_t m_lostCrashes = 0; // of clients that have left, as the next two
    std::int64_t m_lostTimeouts = 0;
    std::int64_t m_lostLosses = 0;
};

} // namespace app
