// SPDX-License-Identifier: GPL-3.0-or-later
// Where free play may be: what is allowed on the server that the window is connected to, and why the rest is not.
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/dialogs/connection_store.h"
#include "ui/lab/free_play.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockui {

/// The server that the window is connected to, as far as one may play there.
struct ConnectedPlace {
    std::optional<lockcore::transport::Deployment> server{}; // absent: one may not
    QString title{};
    QString whyNot{}; // then; or why nothing may begin there now
    std::optional<lockcore::MonoTime> lostSince{}; // the window's own connection; absent: it is not
    bool isProduction = false;
    QString auditFile{}; // where acts by hand are recorded; empty: nowhere
    lockcore::service::AuditedConnection connection{}; // as which

    bool operator==(const ConnectedPlace &) const = default;
};

/// Absent profile: it is connected to nothing. `title`: of the connection.
ConnectedPlace connectedPlace(
    const std::optional<ConnectionProfile> &profile, const QString &title, bool isRecording, bool isWritable);

/// Why nothing can begin where this was seen last; null: nothing was. Empty: it answers.
QString whyNotReached(const lockcore::monitor::Snapshot *snapshot);

/// Whether any clients do something by themselves.
bool contend(const std::vector<lab::GroupSettings> &groups);

/// Why these groups cannot begin. Null: on a private server. Empty: they can.
QString whyNotBegin(const std::vector<lab::GroupSettings> &groups, const ConnectedPlace *place);

/// What a person should know before a lock of others is taken as this kind; empty: nothing.
QString kindWarning(const lab::GroupSettings &group, const lockcore::monitor::Snapshot &seen);

} // namespace lockui
