// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <memory>

namespace app {

/// Free play with clients in processes of their own, on a thread of its own: what clients do does not wait for a window
/// to be painted. All of it ends with this object, or with the program, however that ends. On a server that is the
/// person's groups contend only once a process is there that removes what they leave, and clients that are led by hand
/// take no lock but that of their name, and give back what they hold.
/// Errors: `failed` when the server or the program of the clients does not start, or nobody may clean up.
class ProcessFreePlay : public lockui::lab::FreePlay {
    Q_OBJECT
public:
    /// `clientProgram`: lockctl.
    explicit ProcessFreePlay(const QString &clientProgram, QObject *parent = nullptr);
    ~ProcessFreePlay() override;

    void start(std::vector<lockui::lab::GroupSettings> groups,
        std::optional<lockcore::transport::Deployment> server = {}, const QString &auditFile = {},
        const lockcore::service::AuditedConnection &connection = {}) override;
    void stop() override;
    void setGroups(std::vector<lockui::lab::GroupSettings> groups) override;
    void act(lockui::lab::GroupId group, const std::string &client, lockui::lab::HandAct act) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace app
