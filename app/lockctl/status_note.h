// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockctl {

/// Says on stderr what is missing in what is seen: what the server's ACL refuses, with the line that permits all of it,
/// what a limited feed leaves out, and when the clock of the server is
/// another one than ours. What was said is not said again.
class StatusNote {
public:
    void tell(const lockcore::monitor::SourceStatus &status);

    /// How soon new locks are found, and what is missed, where nothing tells of them. For whoever goes on watching.
    void tellFeed(const lockcore::monitor::SourceStatus &status);

    /// Why nothing is seen any more, and what stands in the way of seeing again.
    void tellLoss(const lockcore::monitor::SourceStatus &status);

    /// What was found for too short a time to be a suspect.
    static void tellPending(std::int64_t findings);

    /// Why the look at all locks is missing that deadlocks are found with.
    static void tellNoDeadlocks(const lockcore::LockName &lock, const QString &why);

    /// A refusal is the reason, but what would help is not known yet.
    static bool isOpen(const lockcore::monitor::SourceStatus &status);

private:
    std::vector<lockcore::monitor::MissingRight> m_said;
    std::string m_line;
    bool m_clocksDiffer = false;
    bool m_isLimited = false;
    std::optional<lockcore::monitor::FeedReason> m_rereading; // why, as it was said
    std::optional<lockcore::ErrorCode> m_loss;
};

} // namespace lockctl
