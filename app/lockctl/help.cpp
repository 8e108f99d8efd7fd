// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command_line.h"

namespace lockctl {

const char *const HelpText = R"(lockctl: the distributed locks that Redisson clients keep in Redis

Usage: lockctl [--url URL | --demo] [--json] [--writable] COMMAND

  ls [--filter EXPR]       all locks, once
  show NAME                one lock with all its keys
  watch [--filter EXPR]    a live table; with --json one event a line; until Ctrl+C
  hold NAME [--kind KIND] [--mode read|write] [--lease MS] [--wait MS] [--for MS]
                           takes a lock as one client and holds it, renewed by a watchdog unless there is a lease;
                           releases it at the end or on Ctrl+C. KIND: reentrant, fair, readWrite, fenced, spin,
                           nonReentrant; semaphore or permitExpirableSemaphore for one permit, which nobody renews
  force-release NAME --expect CLIENT:THREAD [--expect …] --reason TEXT [--audit-file FILE]
                           frees a lock if its holders are exactly those; needs --writable
  audit [--audit-file FILE]
                           what was done with force-release, and why

  --url URL      redis://[[user]:password@]host[:port][/db], rediss://…, unix:///path[?db=n];
                 redis-sentinel://host[:port][,host…]/master[/db], redis-cluster://host[:port][,host…],
                 redis-nodes://host[:port][,host…] (independent servers of a RedLock; not for hold), each also with
                 rediss- for TLS; without it redis://127.0.0.1:6379
  --ca-file FILE for rediss://: the authorities to trust, PEM, instead of the system's
  --demo         a private redis-server with a small shop at work on it, for as long as the command runs
  --json         JSON instead of text
  --writable     allows force-release to change the server
  -h, --help     this text
  -v, --version  the version

EXPR is a list of words that must all match, as in the window: order kind:fair lease:watchdog waiters:>3 ttl:<5s
The password can come from LOCKSCOPE_PASSWORD; on a terminal it is asked for when the server wants one. Sentinels that
want a login of their own get LOCKSCOPE_SENTINEL_USER and LOCKSCOPE_SENTINEL_PASSWORD.
Exit status: 0 done; 1 the answer is no; 2 wrong usage; 3 no connection, or the server's error.
)";

} // namespace lockctl
