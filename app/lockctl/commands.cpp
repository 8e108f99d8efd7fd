// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/commands.h"

#include "app/common/words.h"

#include <CLI/CLI.hpp>

namespace lockctl {

namespace {

using app::addFlag;
using app::addOption;
using app::Words;

void addFilter(CLI::App &command)
{
    addOption(command, "--filter", "EXPR",
        Words::tr("only locks that match: words that must all match, as in the window, such as\n"
                  "order kind:fair lease:watchdog waiters:>3 ttl:<5s"));
}

void addFeed(CLI::App &command)
{
    addOption(command, "--feed", "FEED",
        Words::tr("how to hear of changes: tracking, notifications (never switched on, only used)\n"
                  "or rereading; without it the best that the server permits"));
}

void addExpect(CLI::App &command)
{
    app::addList(command, "--expect", "CLIENT:THREAD",
        Words::tr("a holder that you saw, whole or as ls shortens it (7f21aa09…:7), and :read\n"
                  "or :write behind where it matters; give all of them. Of a token lock the token"));
}

void addReason(CLI::App &command) { addOption(command, "--reason", "TEXT", Words::tr("why, for the audit log")); }

void addAuditFile(CLI::App &command)
{
    addOption(
        command, "--audit-file", "FILE", Words::tr("another audit log than lockscope/audit.jsonl in XDG_STATE_HOME"));
}

void addEscaped(CLI::App &command)
{
    addFlag(command, "--escaped",
        Words::tr("names stand here as they are printed: \\xNN and \\u{NNNN} for what cannot be\nshown, \\\\ for a "
                  "backslash"));
}

QString guarded()
{
    return Words::tr(
        "The server compares and acts in one step: when anybody else holds the lock by then, nothing is changed, who\n"
        "holds it is told, and the exit status is 1. Needs --writable, and is written to the audit log before and "
        "after.\n");
}

/// In the order of the help text.
class Commands {
public:
    explicit Commands(Program &program)
        : m_program(program)
    {
        addLooks();
        addHold();
        addActions();
        addFiles();
        addLab();
    }

private:
    CLI::App &add(const char *name, const char *words, const QString &summary, Program::ToRequest toRequest,
        const QString &details)
    {
        CLI::App &command = app::addCommand(*m_program.app, name, words, summary, details);
        m_program.commands.push_back({ &command, toRequest });
        return command;
    }

    void addLooks();
    void addHold();
    void addActions();
    void addFiles();
    void addLab();

    Program &m_program;
};

void Commands::addLooks()
{
    addFilter(add("ls", "", Words::tr("all locks, once"), toLs,
        Words::tr("A table that fits the terminal; with --json an array, a line a lock.\n")));

    addEscaped(add("show", "NAME", Words::tr("one lock with all its keys"), toShow,
        Words::tr(
            "Reads this lock alone, not the whole keyspace; but where its queue waits for a holder, it looks at all "
            "locks for\n"
            "a deadlock, for two seconds at most.\n")));

    CLI::App &watch = add("watch", "", Words::tr("a live table, until Ctrl+C"), toWatch,
        Words::tr("On a terminal a live table. With --json, or into a pipe, one event a line; ends when nobody reads "
                  "them.\n"));
    addFilter(watch);
    addFeed(watch);

    CLI::App &diagnose = add("diagnose", "[NAME]",
        Words::tr("watches for a moment, and says what looks wrong, with evidence"), toDiagnose,
        Words::tr(
            "What one look cannot tell: waiters whose clients are gone, renewals that are late, deadlocks. Of one "
            "lock,\n"
            "or of all. The exit status is 1 when something looks wrong, and 3 when nothing does but not all could be\n"
            "watched.\n"));
    addFilter(diagnose);
    addOption(
        diagnose, "--for", "MS", Words::tr("so long; unless told 5s, and longer while something is about to show"));
    addEscaped(diagnose);
}

void Commands::addHold()
{
    CLI::App &hold = add("hold", "NAME", Words::tr("takes a lock as one client and holds it, until Ctrl+C"), toHold,
        Words::tr(
            "Renewed by a watchdog unless there is a lease, and released at the end. It acts for itself alone, as any\n"
            "client, and so needs no --writable; a profile locked to read-only refuses it all the same.\n"));
    addOption(hold, "--kind", "KIND",
        Words::tr("reentrant (unless told), fair, readWrite, fenced, spin, nonReentrant;\n"
                  "semaphore or permitExpirableSemaphore for one permit, which nobody renews;\n"
                  "token: SET NX PX, as other libraries take theirs"));
    addOption(hold, "--mode", "read|write", Words::tr("the half of a read/write lock"));
    addOption(hold, "--lease", "MS", Words::tr("let it run out after so long, and do not renew it"));
    addOption(hold, "--wait", "MS", Words::tr("give up when it was not to be had for so long"));
    addOption(hold, "--for", "MS", Words::tr("release it after so long"));
    addEscaped(hold);
}

void Commands::addActions()
{
    const auto addCommon = [](CLI::App &command) {
        addReason(command);
        addAuditFile(command);
        addEscaped(command);
    };

    CLI::App &forceRelease = add("force-release", "NAME",
        Words::tr("frees a lock if its holders are exactly those that you saw"), toForceRelease, guarded());
    addExpect(forceRelease);
    addFlag(forceRelease, "--only",
        Words::tr("release the readers named alone, whoever else reads: the others keep their holds"));
    addCommon(forceRelease);

    CLI::App &renew = add("renew", "NAME",
        Words::tr("renews a lock, for any time from now, if its holders are exactly those that you saw"), toRenew,
        guarded());
    addOption(renew, "--ttl", "MS", Words::tr("how long it shall live from now, also less than it has"));
    addExpect(renew);
    addCommon(renew);

    addCommon(add("drop-waiter", "NAME CLIENT:THREAD", Words::tr("takes one waiter out of the queue of a fair lock"),
        toDropWaiter,
        Words::tr(
            "As if it had given up: those behind gain its time, and the next one is told if the lock is free. Does\n"
            "nothing, with exit status 1, when it does not wait there. Needs --writable, and is written to the audit "
            "log.\n")));

    addCommon(add("return-permit", "NAME PERMIT", Words::tr("gives back a permit of a semaphore whose permits expire"),
        toReturnPermit,
        Words::tr(
            "PERMIT is its id, 32 hexadecimal digits. Does nothing, with exit status 1, when nobody holds it. Needs\n"
            "--writable, and is written to the audit log.\n")));
}

void Commands::addFiles()
{
    CLI::App &audit = add("audit", "", Words::tr("what was done to locks of others, and why"), toAudit,
        Words::tr("A table; with --json the entries as they stand in the log, a line each.\n"));
    addOption(audit, "--lock", "NAME", Words::tr("only what concerned this lock"));
    addOption(audit, "--since", "TIME",
        Words::tr("only from this day or moment on, such as 2026-11-20 or 2026-11-20T14:02:11Z"));
    addOption(audit, "--until", "TIME", Words::tr("only before it"));
    addAuditFile(audit);
    addEscaped(audit);

    CLI::App &record = add("record", "FILE", Words::tr("writes all that is seen to a file, until Ctrl+C"), toRecord,
        Words::tr("A recording that is there is continued. The file is whole at every moment: after a crash it ends at "
                  "most\n"
                  "a second before. With a limit the oldest is dropped.\n"));
    addOption(record, "--for", "MS", Words::tr("end after so long"));
    addOption(record, "--max-size", "BYTES", Words::tr("keep the file so small, with the -wal beside it"));
    addOption(record, "--max-age", "MS", Words::tr("keep only what is so young"));
    addFeed(record);

    CLI::App &replay = add("replay", "FILE", Words::tr("what a recording tells, without a server"), toReplay,
        Words::tr("All its events, one a line, as from watch; with --at the locks as they were at that moment, as from "
                  "ls.\n"));
    addOption(replay, "--at", "TIME",
        Words::tr("a moment such as 2026-11-20T14:02:11.380Z, or a time after the beginning such as +90s"));
}

void Commands::addLab()
{
    CLI::App &run = add("run", "SCENARIO…", Words::tr("plays scenarios of the contention lab, and checks them"), toRun,
        Words::tr(
            "On private servers that are started for it and gone after it, with each client in a process of its "
            "own. Prints\n"
            "TAP: a line for each step, and what was expected and seen where that differs; with --json an object a "
            "step.\n"
            "SCENARIO is a name that lockctl scenarios lists, or a file. The exit status is 1 when a step failed.\n"
            "With --url or --profile, and --writable, on that server: what does nothing to servers, with names of "
            "locks "
            "that\n"
            "begin with a prefix of their own. Whatever has it in its name is deleted at the end.\n"));
    addFlag(run, "--all", Words::tr("all that come with the program"));
    addOption(run, "--repeat", "N", Words::tr("so many times, one after the other"));
    addOption(run, "--report", "FILE",
        Words::tr("also write one page of HTML: what was expected and seen, and the timeline drawn"));
    addOption(run, "--redisson", "PATH",
        Words::tr("the jar of Redisson, or a folder with it and the jars that it needs, for clients that are a\n"
                  "real one; several with colons between them. Without it LOCKSCOPE_REDISSON"));

    CLI::App &scenarios = add("scenarios", "", Words::tr("the scenarios that come with the program, and your own"),
        toScenarios, Words::tr("A table; with --json an array.\n"));
    addOption(scenarios, "--print", "NAME", Words::tr("the text of one, to be saved, changed and run"));

    CLI::App &make = add("make-scenario", "FILE", Words::tr("makes a scenario of what a recording tells"),
        toMakeScenario,
        Words::tr("Clients take, hold, lose and release the same locks in the same order, and are expected to see the "
                  "same. What\n"
                  "nobody saw stands in the notes of its steps, and is not made up. To be saved, changed and run.\n"));
    addOption(make, "--from", "TIME",
        Words::tr(
            "from this moment on, such as 2026-11-20T14:02:11.380Z, or a time after the beginning such\nas +90s"));
    addOption(make, "--to", "TIME", Words::tr("until then"));
    app::addList(make, "--lock", "NAME", Words::tr("only this lock; give all of them"));
    addOption(make, "--longest-pause", "MS", Words::tr("between two steps; longer ones are shortened; unless told 1s"));
    addOption(make, "--out", "FILE", Words::tr("write it there, and print nothing"));
    addEscaped(make);

    CLI::App &client = add("client", "", Words::tr("a client that does what lines of JSON tell it"), toClient,
        Words::tr(
            "Reads {\"number\": 1, \"do\": \"lock\", \"lock\": \"orders\", \"lease\": \"5s\"} and the "
            "like from standard input, as steps of\n"
            "scenarios have it, and answers on standard output. {\"number\": 2, \"giveUp\": 1} ends a wait. At the "
            "end of its\n"
            "input it ends as if it had crashed: what it holds is left to run out.\n"));
    addOption(
        client, "--watchdog", "MS", Words::tr("lease of locks without one, renewed every third; unless told 30s"));
    addOption(client, "--fair-wait", "MS", Words::tr("how long a place in a fair queue lasts; unless told 5m"));
    addFlag(client, "--no-renewals", Words::tr("a watchdog that never comes"));
    addFlag(client, "--give-back", Words::tr("at the end of the input release what it holds and leave the queues"));
    addOption(client, "--clean-up", "PREFIX",
        Words::tr("instead of that: delete at the end of the input all keys with such a prefix of a scenario\n"
                  "in their names"));
}

std::string namesOf(const CLI::App &command)
{
    const std::string words = app::wordsText(command);
    return command.get_name() + (words.empty() ? "" : ' ' + words);
}

std::string helpOf(const Program &program, const CLI::App &command)
{
    const std::string options = app::optionsText(command);
    const QString usage = options.empty() ? Words::tr("Usage: lockctl [OPTION…] %1")
                                          : Words::tr("Usage: lockctl [OPTION…] %1 [OPTION…]");
    return "lockctl " + command.get_name() + ": " + command.get_description() + "\n\n"
        + usage.arg(QString::fromStdString(namesOf(command))).toStdString() + "\n\n" + command.get_footer()
        + (options.empty() ? "" : '\n' + options) + '\n' + Words::tr("With every command:").toStdString() + '\n'
        + app::optionsText(*program.app);
}

} // namespace

Program makeProgram()
{
    Program program{ app::newProgram(), {} };
    CLI::App &globals = *program.app;
    app::addServerOptions(globals);
    addOption(globals, "--profile", "NAME", Words::tr("a connection that the window has saved, by its name there"));
    addOption(
        globals, "--config", "FILE", Words::tr("where it has saved that, if lockscope was given this option, too"));
    addFlag(
        globals, "--demo", Words::tr("a private redis-server with a small shop at work on it, while the command runs"));
    addFlag(globals, "--json", Words::tr("JSON instead of text"));
    addFlag(globals, "--writable", Words::tr("allows what changes locks of others; a profile can forbid it"));
    addFlag(globals, "-h,--help", Words::tr("this text, or that of a command"));
    addFlag(globals, "-v,--version", Words::tr("the version"));
    const Commands commands(program);
    return program;
}

std::string helpText(const Program &program, const CLI::App *command)
{
    if (command)
        return helpOf(program, *command);
    std::string text
        = Words::tr("lockctl: the distributed locks that Redisson clients keep in Redis\n\n"
                    "Usage: lockctl [--url URL | --profile NAME | --demo] [--also PATTERN] [--json] [--writable] "
                    "COMMAND [OPTION…]\n\n")
              .toStdString();
    for (const Program::Command &each : program.commands)
        text += app::twoColumns(namesOf(*each.arguments), each.arguments->get_description(), 32);
    text
        += Words::tr("\nlockctl COMMAND --help tells the options of a command. MS are milliseconds, or a number with a "
                     "unit: 500ms, 5s, 2m, 1h.\n\n")
               .toStdString()
        + app::optionsText(*program.app);
    return text
        + Words::tr(
            "\nThe password can come from LOCKSCOPE_PASSWORD, or from the desktop's keychain with --profile; on a "
            "terminal it is asked\nfor when the server wants one. Sentinels that want a login of their own get "
            "LOCKSCOPE_SENTINEL_USER and\nLOCKSCOPE_SENTINEL_PASSWORD.\nExit status: 0 done; 1 the answer is no; 2 "
            "wrong usage; 3 no connection, or the server's error.\n")
              .toStdString();
}

} // namespace lockctl
