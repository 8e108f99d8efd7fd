// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/synchronizers/admin_command.h"
#include "ui/dialogs/seen_lock.h"
#include "ui/models/client_overview.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace lockui {

class ClientNames;

/// One lock of those that are to be released together, each guarded by itself.
struct BulkLine {
    using Lock = SeenLock::Lock;
    enum class State {
        Open, // can be released, and is if it is wanted
        Never, // cannot, for what it is
        Changed, // since it was looked at: by now it is not as it was seen
        Queued, // confirmed, and its turn is to come
        Asking, // confirmed, and not sent yet
        Sent,
        Released,
        Refused, // by the server: others held it by then
        Failed,
        Unknown, // sent, and no answer came
        NotSent, // stopped before its turn
    };

    Lock seen;
    Lock current; // null: gone
    bool isSeen = true; // false: a server of it is lost, and current is as it was then
    lockcore::MonoTime seenUntil = lockcore::MonoTime::max(); // earlier: each server that has it is lost
    QStringList lostServers; // while others are seen; empty: there is none
    std::vector<std::string> notAsked{}; // independent servers that are out of sight, and may have the lock
    QStringList untickedFor; // the servers whose loss took the tick away; empty: none did, or a person ticked it again
    std::vector<lockcore::synchronizers::ExpectedHolder> expected; // whose holds are taken
    bool isPart = false; // of a read lock that others go on reading
    bool isWanted = true;
    State state = State::Open;
    QString said; // why it cannot be released, or what became of it

    bool isOpen() const { return state == State::Open && isWanted && lostServers.isEmpty(); }
    bool isOver() const { return state > State::Sent; }
};

/// `client`: whose holds they are to be released of; absent: of all who hold them. What the client shares with others
/// is left to them: of read holds its own are taken alone, and any other lock is not released here.
std::vector<BulkLine> bulkLines(const std::vector<BulkLine::Lock> &locks, const std::optional<std::string> &client);

/// Shows the lock as it is by now. One that changed stays left out, also when it looks the same again: another hold is
/// not the one that was seen.
void setCurrent(BulkLine &line, BulkLine::Lock lock, const ClientNames &names);

/// Shows whether a server of it is lost. A line that is asked for is left out by that until a person ticks it again:
/// what was seen to be left out is not released because the server answers again.
void setLostServers(BulkLine &line, const QStringList &servers);

/// Releases exactly the holds that were shown, or nothing.
lockcore::synchronizers::AdminCommand commandFor(const BulkLine &line, std::string reason);

/// Notes what became of it. True: what went wrong would go wrong with the other locks, too.
bool setOutcome(
    BulkLine &line, const lockcore::Result<lockcore::synchronizers::CommandOutcome> &outcome, const ClientNames &names);

/// What releasing it means for others: `wakes 3 in the queue`
QString meaningText(const BulkLine &line);

/// The clients whose holds would be taken that look alive, in whole sentences. Unless the past is told of, no lock that
/// is not seen says that of any.
QStringList aliveTexts(const std::vector<BulkLine> &lines, const ClientNames &names, const ToldMoment &moment);

} // namespace lockui
