// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::monitor {

/// Which locks to show. All words must match; `-` before a word turns it round, double quotes keep spaces, colons,
/// and a `-` that is part of the word.
///   order            in the name or a holder's id
///   name:sku  holder:7f21
///   waiter:7f21      stands in its fair queue: nobody else who waits is known
///   client:7f21      holds it, or stands in its queue
///   kind:fair        the names of the catalogue of kinds
///   lease:watchdog   watchdog, fixed, unknown
///   state:free       free, held (who comes now has to wait), waited (somebody waits), late (renewal overdue)
///   waiters:>3       also >=, <, <=, = or nothing
///   ttl:<5s  held:>1m   also >= and <=, with ms, s, m or h; ttl:none for locks that never expire
/// A word with a colon after something else is plain text: names of locks have colons.
/// Units:  those written behind a number.
/// Errors: local/invalid-argument, naming each word that is wrong.
/// Thread: any; immutable.
/// Source: LockState, in snapshot.h.
class LOCKCORE_EXPORT LockFilter {
public:
    /// How names are shown, such as with escapes.
    struct Notation {
        std::function<std::optional<std::string>(std::string_view)> read; // absent: nothing is shown so
        std::function<std::string(std::string_view)> write;
    };

    LockFilter() = default; // matches everything

    /// Words for a name match names as they are and, with a notation, as they are shown.
    [[nodiscard]] static Result<LockFilter> parse(std::string_view text, const Notation &notation = {});

    bool matches(const LockState &lock, MonoTime now) const;
    /// By name, kind and owner alone: an event does not tell the state of its lock, see stateWords().
    bool matches(const Event &event) const;
    /// Words that ask how a lock is at the moment.
    const std::vector<std::string> &stateWords() const { return m_stateWords; }
    /// Words with a colon, of which the part before it is no key: they count as plain text.
    const std::vector<std::string> &unknownWords() const { return m_unknownWords; }
    bool isEmpty() const { return m_terms.empty(); }
    bool dependsOnTime() const { return m_dependsOnTime; } // the same lock may match later and not now

private:
    using Term = std::function<bool(const LockState &, MonoTime)>;

    struct Condition {
        Term term;
        bool ofState = false; // not of name, kind, holder or waiter alone
    };

    Result<void> add(std::string_view word, bool quoted, bool turned, const Notation &notation);

    std::vector<Condition> m_terms;
    std::vector<std::string> m_stateWords;
    std::vector<std::string> m_unknownWords;
    bool m_dependsOnTime = false;
};

} // namespace lockcore::monitor
