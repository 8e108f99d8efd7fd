// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/commands.h"

#include "app/common/server_arguments.h"
#include "app/lockctl/request_parsing.h"

#include <algorithm>
#include <array>

namespace lockctl {

namespace {

const OptionRow Filter{ "filter", "EXPR",
    "only locks that match: words that must all match, as in the window, such as\n"
    "order kind:fair lease:watchdog waiters:>3 ttl:<5s" };
const OptionRow FeedOption{ "feed", "FEED",
    "how to hear of changes: tracking, notifications (never switched on, only used)\n"
    "or rereading; without it the best that the server permits",
    Offer::Feeds };
const OptionRow Expect{ "expect", "CLIENT:THREAD",
    "a holder that you saw, whole or as ls shortens it (7f21aa09…:7), and :read\n"
    "or :write behind where it matters; give all of them" };
const OptionRow Reason{ "reason", "TEXT", "why, for the audit log" };
const OptionRow AuditFile{ "audit-file", "FILE", "another audit log than lockscope/audit.jsonl in XDG_STATE_HOME",
    Offer::Files };

const OptionRow Escaped{ "escaped", nullptr,
    "names stand here as they are printed: \\xNN and \\u{NNNN} for what cannot be\nshown, \\\\ for a backslash" };

constexpr const char *Guarded
    = "The server compares and acts in one step: when anybody else holds the lock by then, nothing is changed, who\n"
      "holds it is told, and the exit status is 1. Needs --writable, and is written to the audit log before and "
      "after.\n";

std::vector<CommandRow> makeCommands()
{
    using Need = CommandRow::Need;
    return {
        { "ls", "", "all locks, once", "A table that fits the terminal; with --json an array, a line a lock.\n",
            { Filter }, toLs },
        { "show", "NAME", "one lock with all its keys",
            "Reads this lock alone, not the whole keyspace; but where its queue waits for a holder, it looks at all "
            "locks for\n"
            "a deadlock, for two seconds at most.\n",
            { Escaped }, toShow },
        { "watch", "", "a live table, until Ctrl+C",
            "On a terminal a live table. With --json, or into a pipe, one event a line; ends when nobody reads them.\n",
            { Filter, FeedOption }, toWatch },
        { "diagnose", "[NAME]", "watches for a moment, and says what looks wrong, with evidence",
            "What one look cannot tell: waiters whose clients are gone, renewals that are late, deadlocks. Of one "
            "lock,\n"
            "or of all. The exit status is 1 when something looks wrong, and 3 when nothing does but not all could be\n"
            "watched.\n",
            { Filter, { "for", "MS", "so long; unless told 5s, and longer while something is about to show" },
                Escaped },
            toDiagnose },
        { "hold", "NAME", "takes a lock as one client and holds it, until Ctrl+C",
            "Renewed by a watchdog unless there is a lease, and released at the end. It acts for itself alone, as any\n"
            "client, and so needs no --writable; a profile locked to read-only refuses it all the same.\n",
            { { "kind", "KIND",
                  "reentrant (unless told), fair, readWrite, fenced, spin, nonReentrant;\n"
                  "semaphore or permitExpirableSemaphore for one permit, which nobody renews",
                  Offer::Kinds },
                { "mode", "read|write", "the half of a read/write lock", Offer::Modes },
                { "lease", "MS", "let it run out after so long, and do not renew it" },
                { "wait", "MS", "give up when it was not to be had for so long" },
                { "for", "MS", "release it after so long" }, Escaped },
            toHold, Need::OwnHold },
        { "force-release", "NAME", "frees a lock if its holders are exactly those that you saw", Guarded,
            { Expect,
                { "only", nullptr, "release the readers named alone, whoever else reads: the others keep their holds" },
                Reason, AuditFile, Escaped },
            toForceRelease, Need::Writable },
        { "renew", "NAME", "renews a lock, for any time from now, if its holders are exactly those that you saw",
            Guarded,
            { { "ttl", "MS", "how long it shall live from now, also less than it has" }, Expect, Reason, AuditFile,
                Escaped },
            toRenew, Need::Writable },
        { "drop-waiter", "NAME CLIENT:THREAD", "takes one waiter out of the queue of a fair lock",
            "As if it had given up: those behind gain its time, and the next one is told if the lock is free. Does\n"
            "nothing, with exit status 1, when it does not wait there. Needs --writable, and is written to the audit "
            "log.\n",
            { Reason, AuditFile, Escaped }, toDropWaiter, Need::Writable },
        { "return-permit", "NAME PERMIT", "gives back a permit of a semaphore whose permits expire",
            "PERMIT is its id, 32 hexadecimal digits. Does nothing, with exit status 1, when nobody holds it. Needs\n"
            "--writable, and is written to the audit log.\n",
            { Reason, AuditFile, Escaped }, toReturnPermit, Need::Writable },
        { "audit", "", "what was done to locks of others, and why",
            "A table; with --json the entries as they stand in the log, a line each.\n",
            { { "lock", "NAME", "only what concerned this lock" },
                { "since", "TIME", "only from this day or moment on, such as 2026-11-20 or 2026-11-20T14:02:11Z" },
                { "until", "TIME", "only before it" }, AuditFile, Escaped },
            toAudit, Need::NoServer },
        { "record", "FILE", "writes all that is seen to a file, until Ctrl+C",
            "A recording that is there is continued. The file is whole at every moment: after a crash it ends at "
            "most\n"
            "a second before. With a limit the oldest is dropped.\n",
            { { "for", "MS", "end after so long" },
                { "max-size", "BYTES", "keep the file so small, with the -wal beside it" },
                { "max-age", "MS", "keep only what is so young" }, FeedOption },
            toRecord },
        { "replay", "FILE", "what a recording tells, without a server",
            "All its events, one a line, as from watch; with --at the locks as they were at that moment, as from ls.\n",
            { { "at", "TIME",
                "a moment such as 2026-11-20T14:02:11.380Z, or a time after the beginning such as +90s" } },
            toReplay, Need::NoServer },
    };
}

} // namespace

std::span<const CommandRow> commands()
{
    static const std::vector<CommandRow> rows = makeCommands();
    return rows;
}

const CommandRow *commandNamed(std::string_view name)
{
    const auto row = std::ranges::find_if(commands(), [&](const CommandRow &each) { return name == each.name; });
    return row == commands().end() ? nullptr : &*row;
}

std::span<const OptionRow> globalOptions()
{
    static const std::array options{
        OptionRow{ "url", "URL", app::UrlForms, Offer::Nothing },
        OptionRow{ "profile", "NAME", "a connection that the window has saved, by its name there", Offer::Profiles },
        OptionRow{ "ca-file", "FILE", "for TLS: the authorities to trust, PEM, instead of the system's", Offer::Files },
        OptionRow{ "demo", nullptr, "a private redis-server with a small shop at work on it, while the command runs" },
        OptionRow{ "json", nullptr, "JSON instead of text" },
        OptionRow{ "writable", nullptr, "allows what changes locks of others; a profile can forbid it" },
        OptionRow{ "help", nullptr, "this text, or that of a command" },
        OptionRow{ "version", nullptr, "the version" },
    };
    return options;
}

} // namespace lockctl
