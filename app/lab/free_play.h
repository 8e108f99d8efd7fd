// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <memory>

namespace app {

/// Free play on a private redis-server, with clients in processes of their own, on a thread of its own: what clients do
/// does not wait for a window to be painted. All of it ends with this object, or with the program, however that ends.
/// Errors: `failed` when the server or the program of the clients does not start.
class ProcessFreePlay : public lockui::lab::FreePlay {
    Q_OBJECT
public:
    /// `clientProgram`: lockctl.
    explicit ProcessFreePlay(const QString &clientProgram, QObject *parent = nullptr);
    ~ProcessFreePlay() override;

    void start(std::vector<lockui::lab::GroupSettings> groups) override;
    void stop() override;
    void setGroups(std::vector<lockui::lab::GroupSettings> groups) override;
    void act(lockui::lab::GroupId group, const std::string &client, lockui::lab::HandAct act) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace app
