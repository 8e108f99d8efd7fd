// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/enum_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockcore {

/// What an error says beyond its code, as a value. Behind each stands what its details are.
enum class Phrase {
    Nothing,
    Words, // as they came from the server or the system
    // Connections
    NotConnected,
    ReadOnlyConnection,
    ClosedHere,
    ClosedByPeer,
    UnaskedReply,
    UnexpectedReply,
    NoReplyWithin, // milliseconds
    NoAnswerWithin, // milliseconds
    NoAnswerForLong,
    ToTlsHandshake, // behind another
    MaybeTlsPort, // behind another
    MaybeNoTlsPort, // behind another
    NoSuchSocket,
    NoCaCertificate, // file
    NoCertificate, // file
    NoPrivateKey, // file
    OtherMaster,
    NoMasterNow,
    MasterDemoted,
    MasterUnknown,
    SlotsUnknown,
    NobodyToAsk,
    WasAsleep, // seconds
    OtherRights,
    // Looking
    LockUnreadable,
    LocksUnreadable,
    HashTooLarge,
    SlotIsMoving,
    // Acting on locks of others
    NothingSent, // behind another
    NothingChanged, // behind another
    PartlyDone, // behind another
    MaybeStillDone, // behind another; seconds
    NorRecorded, // behind another; why
    Permitting, // behind another; a line of ACL rules
    ConnectionClosed,
    MadeReadOnly,
    Cancelled,
    LateAnswer,
    LateConnection,
    OnlyAReplica,
    TimeUnknown,
    AnswerUnknown,
    OtherKindNow,
    TooLargeForALock,
    CameTooLate,
    NoSuchSemaphore,
    SlotUnkept, // what the server said
    SlotMovingNow, // what the server said
    HoldersDiffer, // expected; who has it where
    NowhereAsSeen,
    QueueOfAnother, // locks
    NoQueueNorPermits,
    ServersUnknown,
    NobodyKeepsSlot,
    NoServerOpen,
    DoneInPart, // where; where not and why
    DoneNowhere, // where not and why
    OnlyARecording,
    NoAuditLog,
    NoReason,
    NoSuchClient,
    // Recordings
    LimitTooSmall, // bytes; locks seen; bytes that are enough
    NotARecording,
    FileInUse,
    FileReadOnly,
    FileUnusable,
    FileDamaged,
    DiskFull,
    FileUnopened,
    NoSuchFile,
    NotAFile,
    FileUnreadable,
    NoSqlite,
    AlreadyRecording,
    CannotMakeFile,
    OldRecording,
    NewerRecording, // its format; the newest that is known
    NothingRecordedThen,
    CutShort,
    LacksLog,
    DamagedAt, // milliseconds
    DamagedHere,
    NothingRecorded,
    PartDropped,
    RecordingOfAnother, // servers
    NothingNew,
    // Filters
    FilterWrong, // a word; another follows
    FilterNumber,
    FilterTimeOrNone,
    FilterTime,
    FilterChoice, // choices
    FilterQuote,
    FilterNothing,
    FilterAnd, // between two
    // What was tried
    Connecting, // server
    Connection, // server
    CommandOn, // command, server
    AskingForMaster, // sentinel, name of the master
    LookingAt, // lock, server
    LookingFor, // lock
    ReadingLocks, // server
    Reading, // lock
    ForceReleasing,
    Renewing,
    DroppingWaiter,
    ReturningPermit,
    ForceReleasingOn, // server
    RenewingOn, // server
    DroppingWaiterOn, // server
    ReturningPermitOn, // server
    ActingOnLock,
    WritingAudit, // file
    Asking, // server
    ARecording, // file
    RecordingTo, // file
};

/// For logs and for those who use the library. Programs for people translate them by this very text, so that it stands
/// nowhere else.
#define LOCKCORE_PHRASE(context, english) english

inline constexpr TextRow<Phrase> Phrases[]{
    { Phrase::Nothing, "" },
    { Phrase::Words, "%1" },
    { Phrase::NotConnected, LOCKCORE_PHRASE("Phrase", "not connected") },
    { Phrase::ReadOnlyConnection, LOCKCORE_PHRASE("Phrase", "the connection is read-only") },
    { Phrase::ClosedHere, LOCKCORE_PHRASE("Phrase", "the connection was closed here") },
    { Phrase::ClosedByPeer, LOCKCORE_PHRASE("Phrase", "The remote host closed the connection") },
    { Phrase::UnaskedReply, LOCKCORE_PHRASE("Phrase", "a reply came that nobody asked for") },
    { Phrase::UnexpectedReply, LOCKCORE_PHRASE("Phrase", "a reply of another form than expected") },
    { Phrase::NoReplyWithin, LOCKCORE_PHRASE("Phrase", "no reply within %1 ms") },
    { Phrase::NoAnswerWithin, LOCKCORE_PHRASE("Phrase", "no answer within %1 ms") },
    { Phrase::NoAnswerForLong, LOCKCORE_PHRASE("Phrase", "no answer for some seconds") },
    { Phrase::ToTlsHandshake, LOCKCORE_PHRASE("Phrase", " to the TLS handshake (is this a TLS port?)") },
    { Phrase::MaybeTlsPort, LOCKCORE_PHRASE("Phrase", " (if this is a TLS port, use rediss://)") },
    { Phrase::MaybeNoTlsPort, LOCKCORE_PHRASE("Phrase", " (is this a TLS port?)") },
    { Phrase::NoSuchSocket, LOCKCORE_PHRASE("Phrase", "there is no such socket: does the server run?") },
    { Phrase::NoCaCertificate, LOCKCORE_PHRASE("Phrase", "no certificate could be read from the CA file %1") },
    { Phrase::NoCertificate, LOCKCORE_PHRASE("Phrase", "no certificate could be read from %1") },
    { Phrase::NoPrivateKey,
        LOCKCORE_PHRASE("Phrase", "no unencrypted private key (RSA or EC, PEM) could be read from %1") },
    { Phrase::OtherMaster, LOCKCORE_PHRASE("Phrase", "another server has become the master") },
    { Phrase::NoMasterNow, LOCKCORE_PHRASE("Phrase", "the server that the sentinels name is no master now") },
    { Phrase::MasterDemoted, LOCKCORE_PHRASE("Phrase", "the master has become a replica") },
    { Phrase::MasterUnknown, LOCKCORE_PHRASE("Phrase", "the sentinel knows no master of this name") },
    { Phrase::SlotsUnknown, LOCKCORE_PHRASE("Phrase", "the node knows nobody who keeps a slot") },
    { Phrase::NobodyToAsk, LOCKCORE_PHRASE("Phrase", "there is nobody to ask") },
    { Phrase::WasAsleep, "this computer was asleep for %1 s: connecting again" },
    { Phrase::OtherRights, LOCKCORE_PHRASE("Phrase", "the user has other rights now: connecting again") },
    { Phrase::LockUnreadable,
        LOCKCORE_PHRASE("Phrase", "it may not be read by this user, so whether there is such a lock is not known") },
    { Phrase::LocksUnreadable, LOCKCORE_PHRASE("Phrase", "the user may no longer read some of the locks") },
    { Phrase::HashTooLarge,
        LOCKCORE_PHRASE("Phrase", "the hash is too large to be read: who holds it by now is not known") },
    { Phrase::SlotIsMoving,
        LOCKCORE_PHRASE(
            "Phrase", "its slot is moving, and it is not seen on any node as a whole: try again when it has moved") },
    { Phrase::NothingSent, LOCKCORE_PHRASE("Phrase", ": nothing was sent") },
    { Phrase::NothingChanged, LOCKCORE_PHRASE("Phrase", "; nothing was changed") },
    { Phrase::PartlyDone,
        LOCKCORE_PHRASE("Phrase", "; a part of it was done before: look again before you repeat it") },
    { Phrase::MaybeStillDone,
        LOCKCORE_PHRASE("Phrase", "; whether it was carried out is not known, and it may be for another %1 s") },
    { Phrase::NorRecorded, LOCKCORE_PHRASE("Phrase", "; nor could that be recorded: %1") },
    { Phrase::Permitting, LOCKCORE_PHRASE("Phrase", ". This permits it: %1") },
    { Phrase::ConnectionClosed, LOCKCORE_PHRASE("Phrase", "the connection was closed") },
    { Phrase::MadeReadOnly, LOCKCORE_PHRASE("Phrase", "the connection was made read-only") },
    { Phrase::Cancelled, LOCKCORE_PHRASE("Phrase", "cancelled") },
    { Phrase::LateAnswer,
        LOCKCORE_PHRASE("Phrase",
            "the server did not answer in time; whether it was carried out is not known, but from now on it is not any "
            "more") },
    { Phrase::LateConnection, LOCKCORE_PHRASE("Phrase", "the server did not answer in time; nothing was sent") },
    { Phrase::OnlyAReplica,
        LOCKCORE_PHRASE("Phrase", "this server is a replica and can only be looked at: open its master to act on it") },
    { Phrase::TimeUnknown, LOCKCORE_PHRASE("Phrase", "the server told its time in an unknown form") },
    { Phrase::AnswerUnknown, LOCKCORE_PHRASE("Phrase", "the script answered in an unknown form") },
    { Phrase::OtherKindNow,
        LOCKCORE_PHRASE("Phrase", "the key is no lock of this kind any more; nothing was changed") },
    { Phrase::TooLargeForALock,
        LOCKCORE_PHRASE(
            "Phrase", "the key is too large to be read as a lock, or has too long an element; nothing was changed") },
    { Phrase::CameTooLate, LOCKCORE_PHRASE("Phrase", "it came too late: nothing was changed") },
    { Phrase::NoSuchSemaphore, LOCKCORE_PHRASE("Phrase", "there is no such semaphore any more; nothing was changed") },
    { Phrase::SlotUnkept,
        LOCKCORE_PHRASE(
            "Phrase", "nobody keeps its slot now: nothing was changed, try again in a moment. The server said: %1") },
    { Phrase::SlotMovingNow,
        LOCKCORE_PHRASE(
            "Phrase", "its slot is moving: nothing was changed, try again in a moment. The server said: %1") },
    { Phrase::HoldersDiffer, LOCKCORE_PHRASE("Phrase", "nothing was changed: expected was %1, and %2") },
    { Phrase::NowhereAsSeen, LOCKCORE_PHRASE("Phrase", "none of the servers has it as it was seen") },
    { Phrase::QueueOfAnother,
        LOCKCORE_PHRASE("Phrase",
            "nothing was changed: who stands in this queue listens for %1, and the next one would not be woken; drop "
            "it from the queue of that lock") },
    { Phrase::NoQueueNorPermits,
        LOCKCORE_PHRASE("Phrase",
            "nothing was changed: such a lock has no queue and no permits; who waits for it asks again and again") },
    { Phrase::ServersUnknown, LOCKCORE_PHRASE("Phrase", "which server keeps the locks is not known") },
    { Phrase::NobodyKeepsSlot, LOCKCORE_PHRASE("Phrase", "nobody keeps the slot of this lock now") },
    { Phrase::NoServerOpen, LOCKCORE_PHRASE("Phrase", "no server is open") },
    { Phrase::DoneInPart, LOCKCORE_PHRASE("Phrase", "done on %1, not on %2") },
    { Phrase::DoneNowhere, LOCKCORE_PHRASE("Phrase", "done nowhere, not on %1") },
    { Phrase::OnlyARecording, LOCKCORE_PHRASE("Phrase", "a recording is shown: there is no server to act on") },
    { Phrase::NoAuditLog, LOCKCORE_PHRASE("Phrase", "there is no audit log to write it to") },
    { Phrase::NoReason, LOCKCORE_PHRASE("Phrase", "a reason is needed, for the audit log") },
    { Phrase::NoSuchClient, LOCKCORE_PHRASE("Phrase", "there is no manual client of this name") },
    { Phrase::LimitTooSmall,
        LOCKCORE_PHRASE(
            "Phrase", "a limit of %1 bytes is too small for the %2 locks seen so far: allow at least %3 bytes") },
    { Phrase::NotARecording, LOCKCORE_PHRASE("Phrase", "the file is not a recording of Lockscope") },
    { Phrase::FileInUse, LOCKCORE_PHRASE("Phrase", "another program is writing to the file") },
    { Phrase::FileReadOnly, LOCKCORE_PHRASE("Phrase", "the file may not be written to") },
    { Phrase::FileUnusable,
        LOCKCORE_PHRASE("Phrase",
            "the file could not be read or written (full disk, a limit on its size, or a fault of the disk)") },
    { Phrase::FileDamaged, LOCKCORE_PHRASE("Phrase", "the file is damaged") },
    { Phrase::DiskFull, LOCKCORE_PHRASE("Phrase", "the disk is full") },
    { Phrase::FileUnopened, LOCKCORE_PHRASE("Phrase", "the file cannot be opened: check its path and rights") },
    { Phrase::NoSuchFile, LOCKCORE_PHRASE("Phrase", "there is no such file") },
    { Phrase::NotAFile, LOCKCORE_PHRASE("Phrase", "it is not a file") },
    { Phrase::FileUnreadable, LOCKCORE_PHRASE("Phrase", "the file may not be read") },
    { Phrase::NoSqlite, LOCKCORE_PHRASE("Phrase", "Qt's driver for SQLite is not installed (libqt6sql6-sqlite)") },
    { Phrase::AlreadyRecording, LOCKCORE_PHRASE("Phrase", "another program is recording to it") },
    { Phrase::CannotMakeFile,
        LOCKCORE_PHRASE("Phrase", "the file cannot be made there: check the folder and its rights") },
    { Phrase::OldRecording,
        LOCKCORE_PHRASE(
            "Phrase", "an earlier Lockscope made the file, and it can only be read: record to another file") },
    { Phrase::NewerRecording,
        LOCKCORE_PHRASE(
            "Phrase", "a newer Lockscope made the file (format %1, this one knows up to %2): open it with that one") },
    { Phrase::NothingRecordedThen, LOCKCORE_PHRASE("Phrase", "nothing was recorded at this time") },
    { Phrase::CutShort, LOCKCORE_PHRASE("Phrase", "the file was cut short: what was written last is missing") },
    { Phrase::LacksLog,
        LOCKCORE_PHRASE("Phrase",
            "the file was copied while it was still recorded to, without the file beside it that ends in -wal: what "
            "was written last is missing") },
    { Phrase::DamagedAt, LOCKCORE_PHRASE("Phrase", "the recording is damaged %1 ms after its beginning") },
    { Phrase::DamagedHere, LOCKCORE_PHRASE("Phrase", "the recording is damaged at this place") },
    { Phrase::NothingRecorded, LOCKCORE_PHRASE("Phrase", "nothing has been recorded in it") },
    { Phrase::PartDropped,
        LOCKCORE_PHRASE("Phrase", "this part of it has been dropped in the meantime: open it again") },
    { Phrase::RecordingOfAnother,
        LOCKCORE_PHRASE("Phrase", "the file is a recording of %1, not of %2: record to another file") },
    { Phrase::NothingNew, LOCKCORE_PHRASE("Phrase", "a recording is shown: there is nothing new to record") },
    { Phrase::FilterWrong, LOCKCORE_PHRASE("Phrase", "“%1” ") },
    { Phrase::FilterNumber, LOCKCORE_PHRASE("Phrase", "needs a number, like waiters:>3") },
    { Phrase::FilterTimeOrNone, LOCKCORE_PHRASE("Phrase", "needs a time with its unit, like ttl:<5s, or none") },
    { Phrase::FilterTime, LOCKCORE_PHRASE("Phrase", "needs a time with its unit, like held:>1m") },
    { Phrase::FilterChoice, LOCKCORE_PHRASE("Phrase", "is none of %1") },
    { Phrase::FilterQuote, LOCKCORE_PHRASE("Phrase", "has no closing quote") },
    { Phrase::FilterNothing, LOCKCORE_PHRASE("Phrase", "has nothing after the colon") },
    { Phrase::FilterAnd, LOCKCORE_PHRASE("Phrase", "; ") },
    { Phrase::Connecting, LOCKCORE_PHRASE("Phrase", "connecting to %1") },
    { Phrase::Connection, LOCKCORE_PHRASE("Phrase", "the connection to %1") },
    { Phrase::CommandOn, LOCKCORE_PHRASE("Phrase", "%1 on %2") },
    { Phrase::AskingForMaster, LOCKCORE_PHRASE("Phrase", "asking the sentinel %1 for the master %2") },
    { Phrase::LookingAt, LOCKCORE_PHRASE("Phrase", "looking at %1 of %2") },
    { Phrase::LookingFor, LOCKCORE_PHRASE("Phrase", "looking for %1") },
    { Phrase::ReadingLocks, LOCKCORE_PHRASE("Phrase", "reading locks of %1") },
    { Phrase::Reading, LOCKCORE_PHRASE("Phrase", "reading %1") },
    { Phrase::ForceReleasing, LOCKCORE_PHRASE("Phrase", "force release") },
    { Phrase::Renewing, LOCKCORE_PHRASE("Phrase", "renewing") },
    { Phrase::DroppingWaiter, LOCKCORE_PHRASE("Phrase", "dropping a waiter") },
    { Phrase::ReturningPermit, LOCKCORE_PHRASE("Phrase", "returning a permit") },
    { Phrase::ForceReleasingOn, LOCKCORE_PHRASE("Phrase", "force release on %1") },
    { Phrase::RenewingOn, LOCKCORE_PHRASE("Phrase", "renewing on %1") },
    { Phrase::DroppingWaiterOn, LOCKCORE_PHRASE("Phrase", "dropping a waiter on %1") },
    { Phrase::ReturningPermitOn, LOCKCORE_PHRASE("Phrase", "returning a permit on %1") },
    { Phrase::ActingOnLock, LOCKCORE_PHRASE("Phrase", "acting on a lock") },
    { Phrase::WritingAudit, LOCKCORE_PHRASE("Phrase", "writing the audit log %1") },
    { Phrase::Asking, LOCKCORE_PHRASE("Phrase", "asking %1") },
    { Phrase::ARecording, LOCKCORE_PHRASE("Phrase", "the recording %1") },
    { Phrase::RecordingTo, LOCKCORE_PHRASE("Phrase", "recording to %1") },
};
// That there is a row for each, server_error.cpp asserts: once, for it takes compilers long.

/// A phrase with its details: bytes as they are in Redis.
struct Said {
    Phrase phrase = Phrase::Nothing;
    std::vector<std::string> details{};

    bool operator==(const Said &) const = default;
};

/// In English.
inline std::string toString(const Said &said)
{
    std::string text;
    const std::string_view form = rowOf(Phrases, said.phrase).text;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const auto number = form[i] == '%' && i + 1 < form.size() ? static_cast<std::size_t>(form[i + 1] - '1') : 9;
        if (number < said.details.size()) {
            text += said.details[number];
            ++i;
        } else {
            text += form[i];
        }
    }
    return text;
}

} // namespace lockcore
