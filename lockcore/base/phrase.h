// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/enum_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockcore {

/// What an error says beyond its code. Comments name the details; `behind another`: it is appended to a phrase.
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
    IsSentinel,
    NoSuchSocket,
    NoCaCertificate, // file
    NoCertificate, // file
    NoPrivateKey, // file
    KeyIsEncrypted, // file
    KeyOfAnotherCertificate, // file of the key, file of the certificate
    OfCertificateAndKey, // behind another; their files
    CheckedWithCaFile, // behind another; file
    CheckedWithSystem, // behind another
    CertificateWanted, // behind another
    CertificateRefused, // behind another; file
    OtherMaster,
    NoMasterNow,
    MasterDemoted,
    MasterUnknown,
    SlotsUnknown,
    NobodyToAsk,
    WasAsleep, // seconds
    StoodStill, // seconds
    OtherRights,
    NotConnectedTo, // server
    NotConnectedToOwner,
    ServerLeft,
    NoServerNamed,
    NoMasterNamed,
    IndependentNodes,
    NoAddress,
    ElementsNested, // number
    TooManyElements, // number
    TooLongStrings,
    TooLongString, // bytes
    OtherLength,
    NotResp2,
    OtherNumberOfReplies,
    TooManyMasters, // number
    // URLs
    UrlIpv6,
    UrlHost,
    UrlNoHost,
    UrlPort,
    UrlPercent,
    UrlLogin,
    UrlDatabase, // text
    UrlClusterDatabase, // text
    UrlOptions,
    UrlClusterOption,
    UrlUnixOption,
    UrlSocket,
    UrlNoMaster,
    UrlOneServer,
    UrlNoScheme,
    UrlUnknownScheme, // scheme
    UrlKnownForms, // behind another
    // Requests to a client
    NoName,
    NoValues,
    ValuesUnused,
    ValueNotUtf8,
    BracesElsewhere,
    TagNeeded, // behind another
    WaitOutOfRange, // milliseconds
    LeaseOutOfRange, // milliseconds
    LeaseTooShort,
    DriftOutOfRange,
    CountOutOfRange, // least, count
    ThreadForm, // thread
    ModeUnused,
    ModeMissing,
    NotSpin,
    NotNonReentrant,
    NoLock,
    NoMembers,
    TooFewMembers,
    TooManyPermits, // most, number
    PermitForm, // permit
    TooManyPatterns, // most
    PatternForm, // most bytes
    // What became of them
    ClientClosed,
    ClientNotOpen,
    NotWanted,
    HeldAlready,
    TryCameLate,
    NoAnswerToTry,
    NoAnswerInTime,
    HeldByNobodyNow,
    HeldByOthers, // holders
    NotHeldByThis,
    NotHeldByThread,
    PermitNotHeld,
    PermitGivenBack,
    TooFewHeld, // number, required
    ServerNoMaster,
    LostMeanwhile,
    TooFewReplicas, // milliseconds, number, needed
    GivenBackAfterTry, // behind another; number of the try
    AnswerLost, // before another
    MaybeAcquired, // before another
    MaybeSucceeded, // before another
    MaybeNotGivenBack, // before another
    NotGivenBack, // before another
    QueueNotLeft, // before another
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
    HoldersGone, // expected
    NowhereAsSeen,
    QueueOfAnother, // locks
    NoQueueNorPermits,
    ServersUnknown,
    NobodyKeepsSlot,
    NoServerOpen,
    DoneOn, // where
    DoneNowhere,
    DoneNowhereAsKnown,
    OnlyARecording,
    NoAuditLog,
    NoReason,
    NoHoldersToActOn,
    NoHoldersExpected,
    ModesDiffer,
    OnlyReaders,
    TtlTooShort,
    NoWaiter,
    PermitIdForm,
    LockHasNoName,
    NotDoneOn, // behind another; where, and why follows
    PerhapsDoneOn, // behind another; where, and why that is not known follows
    WereNotAsked, // behind another; where
    HeldByNobody,
    HeldBy, // holders
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
    ReadingAudit, // file
    Asking, // server
    ARecording, // file
    RecordingTo, // file
    LoggingIn,
    ChoosingDatabase, // number
    AskingTime,
    ClusterConnection,
    SubscribingTo, // channel
    AServer, // server
    ReadingUrl,
    TheFilter,
    ReadingSomeLocks,
    Sweeping,
    ReadingHolders,
    RenewingLocks,
    AcquiringALock,
    ReleasingALock,
    WaitingForReplicas,
    Acquiring, // lock
    AcquiringSeveral,
    AcquiringOneLock,
    AcquiringLocks, // number
    Releasing, // lock
    ReleasingOneLock,
    ReleasingLocks, // number
    ReleasingByForce, // lock
    RenewingLock, // lock
    WaitingFor, // lock
    AfterWaitFor, // lock
    ReleasingPermits, // semaphore
    SettingPermits, // semaphore
    AddingPermits, // semaphore
    DrainingPermits, // semaphore
    ReadingPermits, // semaphore
    SettingPermitLease, // semaphore
    ReadingPermitLease, // semaphore
    SettingCount, // latch
    ReadingCount, // latch
    CountingDown, // latch
    Removing, // semaphore or latch
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
    { Phrase::IsSentinel,
        LOCKCORE_PHRASE("Phrase",
            "this is a sentinel, which keeps no locks but knows the server that does: use redis-sentinel:// with the "
            "name of the master (redis-cli -p PORT SENTINEL MASTERS lists them)") },
    { Phrase::NoSuchSocket, LOCKCORE_PHRASE("Phrase", "there is no such socket: does the server run?") },
    { Phrase::NoCaCertificate, LOCKCORE_PHRASE("Phrase", "no certificate could be read from the CA file %1") },
    { Phrase::NoCertificate, LOCKCORE_PHRASE("Phrase", "no certificate could be read from %1") },
    { Phrase::NoPrivateKey, LOCKCORE_PHRASE("Phrase", "no private key (RSA or EC, PEM) could be read from %1") },
    { Phrase::KeyIsEncrypted,
        LOCKCORE_PHRASE("Phrase", "the private key in %1 is encrypted: name a file with the key decrypted") },
    { Phrase::KeyOfAnotherCertificate,
        LOCKCORE_PHRASE("Phrase", "the private key in %1 does not belong to the certificate in %2") },
    { Phrase::OfCertificateAndKey,
        LOCKCORE_PHRASE("Phrase", " (about this client's certificate in %1 and its key in %2)") },
    { Phrase::CheckedWithCaFile, LOCKCORE_PHRASE("Phrase", " (checked with the CA file %1)") },
    { Phrase::CheckedWithSystem,
        LOCKCORE_PHRASE("Phrase", " (checked with the authorities of this computer: no CA file was named)") },
    { Phrase::CertificateWanted,
        LOCKCORE_PHRASE("Phrase", " (no certificate of this client was named, and the server may want one)") },
    { Phrase::CertificateRefused, LOCKCORE_PHRASE("Phrase", " (about this client's certificate, in %1)") },
    { Phrase::OtherMaster, LOCKCORE_PHRASE("Phrase", "another server has become the master") },
    { Phrase::NoMasterNow, LOCKCORE_PHRASE("Phrase", "the server that the sentinels name is no master now") },
    { Phrase::MasterDemoted, LOCKCORE_PHRASE("Phrase", "the master has become a replica") },
    { Phrase::MasterUnknown, LOCKCORE_PHRASE("Phrase", "the sentinel knows no master of this name") },
    { Phrase::SlotsUnknown, LOCKCORE_PHRASE("Phrase", "the node knows nobody who keeps a slot") },
    { Phrase::NobodyToAsk, LOCKCORE_PHRASE("Phrase", "there is nobody to ask") },
    { Phrase::WasAsleep, "this computer was asleep for %1 s: connecting again" },
    { Phrase::StoodStill, "this program stood still for %1 s: connecting again" },
    { Phrase::OtherRights, LOCKCORE_PHRASE("Phrase", "the user has other rights now: connecting again") },
    { Phrase::NotConnectedTo, LOCKCORE_PHRASE("Phrase", "not connected to %1") },
    { Phrase::NotConnectedToOwner, LOCKCORE_PHRASE("Phrase", "not connected to whoever is in charge now") },
    { Phrase::ServerLeft, LOCKCORE_PHRASE("Phrase", "the server was left") },
    { Phrase::NoServerNamed, LOCKCORE_PHRASE("Phrase", "the deployment names no server") },
    { Phrase::NoMasterNamed, LOCKCORE_PHRASE("Phrase", "the name of the master is missing") },
    { Phrase::IndependentNodes,
        LOCKCORE_PHRASE("Phrase", "independent nodes are not one place: each takes a client of its own") },
    { Phrase::NoAddress, LOCKCORE_PHRASE("Phrase", "it is no address") },
    { Phrase::ElementsNested, LOCKCORE_PHRASE("Phrase", "arrays nested deeper than %1") },
    { Phrase::TooManyElements, LOCKCORE_PHRASE("Phrase", "more than %1 elements") },
    { Phrase::TooLongStrings, LOCKCORE_PHRASE("Phrase", "strings longer than allowed in one reply") },
    { Phrase::TooLongString, LOCKCORE_PHRASE("Phrase", "a string or line longer than %1 bytes") },
    { Phrase::OtherLength, LOCKCORE_PHRASE("Phrase", "a string longer or shorter than announced") },
    { Phrase::NotResp2, LOCKCORE_PHRASE("Phrase", "a type of reply that RESP2 does not have") },
    { Phrase::OtherNumberOfReplies, LOCKCORE_PHRASE("Phrase", "not as many replies as commands") },
    { Phrase::TooManyMasters,
        LOCKCORE_PHRASE(
            "Phrase", "it names more than %1 masters, to each of which a connection would have to be made") },
    { Phrase::UrlIpv6,
        LOCKCORE_PHRASE(
            "Phrase", "an IPv6 address must end with ']', and after that there can only be a port, as in [::1]:6379") },
    { Phrase::UrlHost, LOCKCORE_PHRASE("Phrase", "the host has characters that no name of a host has") },
    { Phrase::UrlNoHost, LOCKCORE_PHRASE("Phrase", "the host is missing") },
    { Phrase::UrlPort,
        LOCKCORE_PHRASE("Phrase",
            "the port must be a number from 1 to 65535 (a user and a password end with '@', as in "
            "redis://user:password@host:6379)") },
    { Phrase::UrlPercent,
        LOCKCORE_PHRASE("Phrase", "'%' must be followed by two hexadecimal digits (a literal % is written %25)") },
    { Phrase::UrlLogin, LOCKCORE_PHRASE("Phrase", "in user and password '/' is written %2F, '@' %40 and '%' %25") },
    { Phrase::UrlDatabase, LOCKCORE_PHRASE("Phrase", "the database must be a number from 0, not '%1'") },
    { Phrase::UrlClusterDatabase, LOCKCORE_PHRASE("Phrase", "a cluster has database 0 only, not '%1'") },
    { Phrase::UrlOptions,
        LOCKCORE_PHRASE("Phrase",
            "options after '?' or '#' are known for unix:// and redis-cluster:// only (in a password write %3F and "
            "%23)") },
    { Phrase::UrlClusterOption,
        LOCKCORE_PHRASE("Phrase",
            "the only option of redis-cluster:// is messages, which is plain or sharded, as in "
            "redis-cluster://host:6379?messages=plain") },
    { Phrase::UrlUnixOption, LOCKCORE_PHRASE("Phrase", "the only option of unix:// is db, as in unix:///path?db=1") },
    { Phrase::UrlSocket,
        LOCKCORE_PHRASE("Phrase", "a Unix socket needs an absolute path, as in unix:///run/redis/redis.sock") },
    { Phrase::UrlNoMaster,
        LOCKCORE_PHRASE("Phrase", "the name of the master is missing, as in redis-sentinel://host:26379/mymaster") },
    { Phrase::UrlOneServer,
        LOCKCORE_PHRASE("Phrase",
            "redis:// names one server: redis-cluster:// is for nodes of a cluster, redis-nodes:// for the independent "
            "servers of a RedLock") },
    { Phrase::UrlNoScheme, LOCKCORE_PHRASE("Phrase", "no scheme") },
    { Phrase::UrlUnknownScheme, LOCKCORE_PHRASE("Phrase", "unknown scheme '%1'") },
    { Phrase::UrlKnownForms,
        LOCKCORE_PHRASE("Phrase",
            ": known forms are redis://host:port/db, rediss://host:port/db and unix:///path?db=n, and of several "
            "servers redis-sentinel://, redis-cluster:// or redis-nodes://") },
    { Phrase::NoName, LOCKCORE_PHRASE("Phrase", "there is no name") },
    { Phrase::NoValues, LOCKCORE_PHRASE("Phrase", "say which values of the group are meant") },
    { Phrase::ValuesUnused, LOCKCORE_PHRASE("Phrase", "only faster multi-locks have values") },
    { Phrase::ValueNotUtf8, LOCKCORE_PHRASE("Phrase", "a value for Redisson's codec must be UTF-8") },
    { Phrase::BracesElsewhere,
        LOCKCORE_PHRASE("Phrase", "the braces in this name put what belongs to it into other slots of the cluster") },
    { Phrase::TagNeeded,
        LOCKCORE_PHRASE("Phrase",
            ": a cluster keeps these in different slots, and a name with braces has to have a tag, as in "
            "'{tag}name'") },
    { Phrase::WaitOutOfRange, LOCKCORE_PHRASE("Phrase", "a wait is not negative and below 2^49 ms, not %1") },
    { Phrase::LeaseOutOfRange,
        LOCKCORE_PHRASE("Phrase", "a lease is a positive number of milliseconds below 2^49, not %1") },
    { Phrase::LeaseTooShort, LOCKCORE_PHRASE("Phrase", "the lease is too short to be sure of anything") },
    { Phrase::DriftOutOfRange, LOCKCORE_PHRASE("Phrase", "a drift is a part of the lease: 0 or more, below 1") },
    { Phrase::CountOutOfRange, LOCKCORE_PHRASE("Phrase", "a count is a number of at least %1 and below 2^53, not %2") },
    { Phrase::ThreadForm, LOCKCORE_PHRASE("Phrase", "a thread is a decimal 64-bit number, not '%1'") },
    { Phrase::ModeUnused, LOCKCORE_PHRASE("Phrase", "only read/write locks have a mode") },
    { Phrase::ModeMissing, LOCKCORE_PHRASE("Phrase", "a read/write lock is taken to read or to write: which?") },
    { Phrase::NotSpin, LOCKCORE_PHRASE("Phrase", "only a reentrant lock can be a spin lock") },
    { Phrase::NotNonReentrant, LOCKCORE_PHRASE("Phrase", "only reentrant and fair locks can be non-reentrant") },
    { Phrase::NoLock, LOCKCORE_PHRASE("Phrase", "permits and latches have no holder: they are no locks") },
    { Phrase::NoMembers, LOCKCORE_PHRASE("Phrase", "there is no lock to take") },
    { Phrase::TooFewMembers, LOCKCORE_PHRASE("Phrase", "more locks are required than there are") },
    { Phrase::TooManyPermits, LOCKCORE_PHRASE("Phrase", "at most %1 permits at once, not %2") },
    { Phrase::PermitForm, LOCKCORE_PHRASE("Phrase", "a permit is 32 lower-case hex digits, not '%1'") },
    { Phrase::TooManyPatterns, LOCKCORE_PHRASE("Phrase", "at most %1 patterns can be looked for") },
    { Phrase::PatternForm, LOCKCORE_PHRASE("Phrase", "a pattern of names is a text such as lock:* of up to %1 bytes") },
    { Phrase::ClientClosed, LOCKCORE_PHRASE("Phrase", "the client was closed") },
    { Phrase::ClientNotOpen, LOCKCORE_PHRASE("Phrase", "the client is not open") },
    { Phrase::NotWanted, LOCKCORE_PHRASE("Phrase", "not wanted any more") },
    { Phrase::HeldAlready, LOCKCORE_PHRASE("Phrase", "held by this one already, and not reentrant") },
    { Phrase::TryCameLate, LOCKCORE_PHRASE("Phrase", "the server got a try when its time was over, and did nothing") },
    { Phrase::NoAnswerToTry, LOCKCORE_PHRASE("Phrase", "no answer to a try within the wait") },
    { Phrase::NoAnswerInTime, LOCKCORE_PHRASE("Phrase", "no answer within the limit") },
    { Phrase::HeldByNobodyNow, LOCKCORE_PHRASE("Phrase", "nobody holds it") },
    { Phrase::HeldByOthers, LOCKCORE_PHRASE("Phrase", "not held by this one but by %1") },
    { Phrase::NotHeldByThis, LOCKCORE_PHRASE("Phrase", "not held by this one") },
    { Phrase::NotHeldByThread, LOCKCORE_PHRASE("Phrase", "not held by this thread") },
    { Phrase::PermitNotHeld, LOCKCORE_PHRASE("Phrase", "the permit is not held any more") },
    { Phrase::PermitGivenBack,
        LOCKCORE_PHRASE("Phrase", "not held any more: given back by an attempt whose answer was lost, or before it") },
    { Phrase::TooFewHeld, LOCKCORE_PHRASE("Phrase", "only %1 of the %2 required were still held") },
    { Phrase::ServerNoMaster, LOCKCORE_PHRASE("Phrase", "the server is no master") },
    { Phrase::LostMeanwhile, LOCKCORE_PHRASE("Phrase", "the connection was lost meanwhile") },
    { Phrase::TooFewReplicas, LOCKCORE_PHRASE("Phrase", "replicas that have it after %1 ms: %2, not %3") },
    { Phrase::GivenBackAfterTry, LOCKCORE_PHRASE("Phrase", "; given back after try %1") },
    { Phrase::AnswerLost, LOCKCORE_PHRASE("Phrase", "the answer was lost, it may have been carried out: ") },
    { Phrase::MaybeAcquired,
        LOCKCORE_PHRASE("Phrase", "it is unknown whether it was acquired, and if so it is given back: ") },
    { Phrase::MaybeSucceeded, LOCKCORE_PHRASE("Phrase", "the answer to a try was lost, which may have succeeded: ") },
    { Phrase::MaybeNotGivenBack, LOCKCORE_PHRASE("Phrase", "what it may have got is not given back: ") },
    { Phrase::NotGivenBack, LOCKCORE_PHRASE("Phrase", "what it got is not given back: ") },
    { Phrase::QueueNotLeft, LOCKCORE_PHRASE("Phrase", "the place in the queue is not left: ") },
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
    { Phrase::HoldersDiffer, LOCKCORE_PHRASE("Phrase", "nothing was changed: it is held by %2, and expected was %1") },
    { Phrase::HoldersGone,
        LOCKCORE_PHRASE("Phrase", "nothing was changed: nobody is seen to hold it, and expected was %1") },
    { Phrase::NowhereAsSeen, LOCKCORE_PHRASE("Phrase", "none of the servers that are seen has it") },
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
    { Phrase::DoneOn, LOCKCORE_PHRASE("Phrase", "done on %1") },
    { Phrase::DoneNowhere, LOCKCORE_PHRASE("Phrase", "done nowhere") },
    { Phrase::DoneNowhereAsKnown, LOCKCORE_PHRASE("Phrase", "done nowhere for certain") },
    { Phrase::OnlyARecording, LOCKCORE_PHRASE("Phrase", "a recording is shown: there is no server to act on") },
    { Phrase::NoAuditLog, LOCKCORE_PHRASE("Phrase", "there is no audit log to write it to") },
    { Phrase::NoReason, LOCKCORE_PHRASE("Phrase", "a reason is needed, for the audit log") },
    { Phrase::NoHoldersToActOn, LOCKCORE_PHRASE("Phrase", "this kind has no holders to act on") },
    { Phrase::NoHoldersExpected, LOCKCORE_PHRASE("Phrase", "say which holders were seen") },
    { Phrase::ModesDiffer, LOCKCORE_PHRASE("Phrase", "holders of read/write locks, and only these, have a mode") },
    { Phrase::OnlyReaders, LOCKCORE_PHRASE("Phrase", "only readers can be released one by one") },
    { Phrase::TtlTooShort, LOCKCORE_PHRASE("Phrase", "a time to live is at least one millisecond") },
    { Phrase::NoWaiter, LOCKCORE_PHRASE("Phrase", "say which waiter") },
    { Phrase::PermitIdForm, LOCKCORE_PHRASE("Phrase", "a permit's id is 32 hexadecimal digits, in lower case") },
    { Phrase::LockHasNoName, LOCKCORE_PHRASE("Phrase", "the lock has no name") },
    { Phrase::NotDoneOn, LOCKCORE_PHRASE("Phrase", ", not on %1: ") },
    { Phrase::PerhapsDoneOn, LOCKCORE_PHRASE("Phrase", ", perhaps on %1: ") },
    { Phrase::WereNotAsked, LOCKCORE_PHRASE("Phrase", "; not asked, and may have it: %1") },
    { Phrase::HeldByNobody, LOCKCORE_PHRASE("Phrase", "held by nobody") },
    { Phrase::HeldBy, LOCKCORE_PHRASE("Phrase", "held by %1") },
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
    { Phrase::DamagedAt, "the recording is damaged %1 ms after its beginning" },
    { Phrase::DamagedHere, LOCKCORE_PHRASE("Phrase", "the recording is damaged at this place") },
    { Phrase::NothingRecorded, LOCKCORE_PHRASE("Phrase", "nothing has been recorded in it") },
    { Phrase::PartDropped,
        LOCKCORE_PHRASE("Phrase", "this part of it has been dropped in the meantime: open it again") },
    { Phrase::RecordingOfAnother,
        LOCKCORE_PHRASE("Phrase", "the file is a recording of %1, not of %2: record to another file") },
    { Phrase::NothingNew, LOCKCORE_PHRASE("Phrase", "a recording is shown: there is nothing new to record") },
    { Phrase::FilterWrong, LOCKCORE_PHRASE("Phrase", "“%1” ") },
    { Phrase::FilterNumber, LOCKCORE_PHRASE("Phrase", "needs a number, like waiters:>3") },
    { Phrase::FilterTimeOrNone,
        LOCKCORE_PHRASE("Phrase", "needs < or > and a time with its unit, like ttl:<5s, or none") },
    { Phrase::FilterTime, LOCKCORE_PHRASE("Phrase", "needs < or > and a time with its unit, like held:>1m") },
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
    { Phrase::ReadingAudit, LOCKCORE_PHRASE("Phrase", "reading the audit log %1") },
    { Phrase::Asking, LOCKCORE_PHRASE("Phrase", "asking %1") },
    { Phrase::ARecording, LOCKCORE_PHRASE("Phrase", "the recording %1") },
    { Phrase::RecordingTo, LOCKCORE_PHRASE("Phrase", "recording to %1") },
    { Phrase::LoggingIn, LOCKCORE_PHRASE("Phrase", "logging in") },
    { Phrase::ChoosingDatabase, LOCKCORE_PHRASE("Phrase", "choosing database %1") },
    { Phrase::AskingTime, LOCKCORE_PHRASE("Phrase", "asking for its time") },
    { Phrase::ClusterConnection, LOCKCORE_PHRASE("Phrase", "the connection to a cluster") },
    { Phrase::SubscribingTo, LOCKCORE_PHRASE("Phrase", "subscribing to %1") },
    { Phrase::AServer, LOCKCORE_PHRASE("Phrase", "server %1") },
    { Phrase::ReadingUrl, LOCKCORE_PHRASE("Phrase", "reading the URL") },
    { Phrase::TheFilter, LOCKCORE_PHRASE("Phrase", "filter") },
    { Phrase::ReadingSomeLocks, LOCKCORE_PHRASE("Phrase", "reading locks") },
    { Phrase::Sweeping, LOCKCORE_PHRASE("Phrase", "sweeping the keys") },
    { Phrase::ReadingHolders, LOCKCORE_PHRASE("Phrase", "reading the holders of a lock") },
    { Phrase::RenewingLocks, LOCKCORE_PHRASE("Phrase", "renewing locks") },
    { Phrase::AcquiringALock, LOCKCORE_PHRASE("Phrase", "acquiring a lock") },
    { Phrase::ReleasingALock, LOCKCORE_PHRASE("Phrase", "releasing a lock") },
    { Phrase::WaitingForReplicas, LOCKCORE_PHRASE("Phrase", "waiting for replicas") },
    { Phrase::Acquiring, LOCKCORE_PHRASE("Phrase", "acquiring %1") },
    { Phrase::AcquiringSeveral, LOCKCORE_PHRASE("Phrase", "acquiring several locks") },
    { Phrase::AcquiringOneLock, LOCKCORE_PHRASE("Phrase", "acquiring 1 lock") },
    { Phrase::AcquiringLocks, LOCKCORE_PHRASE("Phrase", "acquiring %1 locks as one") },
    { Phrase::Releasing, LOCKCORE_PHRASE("Phrase", "releasing %1") },
    { Phrase::ReleasingOneLock, LOCKCORE_PHRASE("Phrase", "releasing 1 lock") },
    { Phrase::ReleasingLocks, LOCKCORE_PHRASE("Phrase", "releasing %1 locks as one") },
    { Phrase::ReleasingByForce, LOCKCORE_PHRASE("Phrase", "releasing %1 by force") },
    { Phrase::RenewingLock, LOCKCORE_PHRASE("Phrase", "renewing %1") },
    { Phrase::WaitingFor, LOCKCORE_PHRASE("Phrase", "waiting for %1") },
    { Phrase::AfterWaitFor, LOCKCORE_PHRASE("Phrase", "after a wait for %1") },
    { Phrase::ReleasingPermits, LOCKCORE_PHRASE("Phrase", "releasing permits of %1") },
    { Phrase::SettingPermits, LOCKCORE_PHRASE("Phrase", "setting the permits of %1") },
    { Phrase::AddingPermits, LOCKCORE_PHRASE("Phrase", "adding permits to %1") },
    { Phrase::DrainingPermits, LOCKCORE_PHRASE("Phrase", "draining the permits of %1") },
    { Phrase::ReadingPermits, LOCKCORE_PHRASE("Phrase", "reading the permits of %1") },
    { Phrase::SettingPermitLease, LOCKCORE_PHRASE("Phrase", "setting the lease of a permit of %1") },
    { Phrase::ReadingPermitLease, LOCKCORE_PHRASE("Phrase", "reading the lease of a permit of %1") },
    { Phrase::SettingCount, LOCKCORE_PHRASE("Phrase", "setting the count of %1") },
    { Phrase::ReadingCount, LOCKCORE_PHRASE("Phrase", "reading the count of %1") },
    { Phrase::CountingDown, LOCKCORE_PHRASE("Phrase", "counting %1 down") },
    { Phrase::Removing, LOCKCORE_PHRASE("Phrase", "removing %1") },
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
