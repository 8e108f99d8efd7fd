// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/actions/audit_entry.h"
#include "lockcore/transport/deployment.h"
#include "ui/text/connection_url.h"

#include <QString>

#include <functional>
#include <string>
#include <vector>

class QObject;

namespace lockui {

/// The same servers, for connections of the window: what they are called there, unless a person says otherwise.
lockcore::transport::Deployment withClientName(lockcore::transport::Deployment deployment);

/// Servers together with how careful to be there.
struct ConnectionProfile {
    QString name; // empty: the deployment's own
    lockcore::transport::Deployment deployment = withClientName(lockcore::transport::Endpoint());
    QString environment; // `PROD`, `TEST`, free text, or empty
    bool readOnlyLocked = false; // cannot be switched to writable
    bool rememberPassword = false; // in the desktop's keychain, nowhere else
    std::vector<std::string> tokenNames = {}; // as MonitorOptions::tokenNames
    QString auditFile = {}; // where actions are recorded; empty: where all others are. Not kept
    bool isPassing = false; // it will not be there next time: never remembered

    bool operator==(const ConnectionProfile &) const = default;

    QString title() const;
    QString place() const; // the servers and the database
    QString titleWithPlace() const;
    bool isProduction() const;
    lockcore::service::AuditedConnection audited() const;
};

/// Patterns with spaces between them, as one types them; a backslash stands before a space that belongs to a pattern.
QString toAlsoLocks(const std::vector<std::string> &patterns);
std::vector<std::string> fromAlsoLocks(const QString &text);

/// Its title, with its place where another of `all` has the same title.
QString titleAmong(const ConnectionProfile &profile, const std::vector<ConnectionProfile> &all);

/// Remembers connections from one start to the next.
class ConnectionStore {
public:
    virtual ~ConnectionStore() = default;

    virtual std::vector<ConnectionProfile> recent() const = 0; // newest first
    /// `isReached`: it answers. Until then only what a person has said something of is remembered, such as its name.
    virtual void remember(const ConnectionProfile &profile, bool isReached) = 0;
    virtual void forget(const ConnectionProfile &profile) = 0; // with its passwords
    /// `answer` hears why passwords cannot be remembered, empty: they can be; whenever that is known, while `context`
    /// lives.
    virtual void askForKeyring(QObject *, std::function<void(const QString &whyNot)>) const { }
};

} // namespace lockui
