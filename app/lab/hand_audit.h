// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/contending_client.h"
#include "lockcore/service/actions/audit_log.h"
#include "ui/lab/free_play.h"

#include <map>
#include <string>
#include <tuple>

namespace app {

/// Records what clients are told by hand on a person's server, as other actions are: before it is sent, and when it is
/// answered. What they have at their end they give back: that is recorded as if they had been told to.
class HandAudit {
public:
    HandAudit(const QString &file, const lockcore::transport::Deployment &server,
        const lockcore::service::AuditedConnection &connection);

    /// It is done next: what the client may not do as it stands is not recorded.
    /// Errors: it cannot be recorded, and must not be done.
    [[nodiscard]] lockcore::Result<void> begin(
        const lockui::lab::GroupState &group, const lockui::lab::ContenderState &client, lockui::lab::HandAct act);
    void end(const lockui::lab::HandOutcome &outcome);
    /// It is on its way whether this can be written or not.
    void givesBack(const GivenBack &client);
    void gaveBack(const GivenBack &client, bool isAll);

private:
    using Told = std::tuple<lockui::lab::GroupId, std::string, lockui::lab::HandAct>;

    lockcore::service::AuditLog m_log;
    std::string m_endpoint;
    std::multimap<Told, std::string> m_records; // by whom and what; those that are not answered yet
};

} // namespace app
