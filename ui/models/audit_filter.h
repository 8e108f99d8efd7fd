// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/actions/audit_entry.h"

#include <QString>
#include <QStringList>
#include <vector>

namespace lockui {

/// What the filter of the window says of actions. Its words are looked for in the lock's name, who did it, where, whom
/// it was aimed at, the reason and the outcome; `name:`, `holder:` and `kind:` in these alone. What it asks of a lock
/// at this moment, such as `ttl:<5s`, says nothing of an action and hides none.
class AuditFilter {
public:
    AuditFilter() = default; // matches everything

    static AuditFilter parse(const QString &text); // as typed; one that cannot be read hides nothing

    /// What words are looked for in: to be made once of each entry, for there may be very many.
    static QString searchedText(const lockcore::service::AuditEntry &entry);
    bool matches(const lockcore::service::AuditEntry &entry, const QString &searchedText, lockcore::WallTime now) const;

    const QStringList &unusedWords() const { return m_unused; }
    bool isEmpty() const { return m_terms.empty(); }

private:
    enum class Place { Anywhere, Name, Holder, Kind };
    struct Term {
        Place place;
        QString text;
        bool turned;
    };

    void add(const QString &word, bool quoted, bool turned);

    std::vector<Term> m_terms;
    QStringList m_unused;
};

} // namespace lockui
