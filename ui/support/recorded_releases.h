// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/audit_follower.h"
#include "ui/support/event_store.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

/// Releases by force that the audit log of this computer records as done. What is heard of such a release looks like
/// one by its holder, or like nothing in particular: the log tells what it was. The record may become known before its
/// event or after it. An event is one of a record if it is the end of a hold that was inferred, of the same lock,
/// owner, server and database, within the time of the record; each holder of a record has one such event. Of a
/// recording also a release by force that was heard of: whose it was, the recording does not say. Nor does it say of
/// which database it is: one owner is of one alone. Cost: nothing but for the seconds after a release; then a
/// comparison for each event and release.
class RecordedReleases {
public:
    void begin(int database); // another connection, or another log
    void beginRecording(); // that is replayed
    void restart(); // another moment of it: what happened until then is told anew

    /// The same events, but for those that a record tells more of. To be asked before anybody hears of them.
    lockcore::monitor::EventList told(const lockcore::monitor::EventList &events);
    /// What is new in the log. Corrects what was told already, and tells what that was before.
    std::vector<lockcore::monitor::Event> take(const lockcore::service::AuditNews &news, EventStore &store);

private:
    struct Release {
        lockcore::LockName lock;
        std::string endpoint; // with its database, unless that is the first
        std::vector<lockcore::OwnerId> owners; // whose event is still to come
        lockcore::WallTime from; // when it was recorded, just before it was sent
        lockcore::WallTime to; // when it was answered
    };

    static void keep(std::deque<Release> &releases, const Release &release);
    bool isNew(const std::string &id);
    static std::optional<Release> releaseOf(const lockcore::service::AuditEntry &entry);
    bool isHere(const std::string &endpoint, const std::string &node) const;
    bool mayBeRecorded(const lockcore::monitor::Event &event) const;
    bool isEndOf(const Release &release, const lockcore::monitor::Event &event) const;
    void correct(Release &release, EventStore &store, std::vector<lockcore::monitor::Event> &corrected) const;

    std::optional<int> m_database = 0; // that is watched; absent: a recording is replayed
    std::deque<Release> m_releases; // for which events may still come
    std::deque<std::string> m_known; // records, the newest: a log that is read anew tells them again
    std::deque<Release> m_all; // while a recording is replayed: whole, the newest
};

} // namespace lockui
