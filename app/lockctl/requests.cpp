// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/requests.h"

#include "app/common/audit_path.h"
#include "app/common/words.h"
#include "app/lab/foreign_server.h"
#include "app/lab/redisson.h"
#include "app/lockctl/option_names.h"
#include "lockcore/base/duration.h"

#include <QDateTime>
#include <QDir>
#include <QStringList>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace lockctl {

using app::Arguments;
using app::raw;
using app::usageError;
using app::Words;
using lockcore::LockName;
using lockcore::Millis;
using lockcore::OwnerId;
using lockcore::Result;
using lockcore::WallTime;
using lockcore::monitor::LockFilter;
using lockcore::synchronizers::ExpectedHolder;
using lockcore::synchronizers::Kind;

namespace {

/// A name, or a part of one, as it is or, with --escaped, as it was printed.
Result<std::string> toName(const Arguments &arguments, const std::string &text)
{
    const auto bytes = arguments.has("escaped") ? lockui::fromPrintable(text) : std::optional(text);
    if (bytes)
        return *bytes;
    return usageError(Words::tr("behind a backslash --escaped reads x and two hexadecimal digits, u{ } with digits "
                                "between, or another backslash, and nothing else as in '%1'")
                          .arg(raw(text)));
}

Result<LockName> onlyName(const Arguments &arguments)
{
    const std::vector<std::string> words = arguments.words();
    if (words.size() == 1)
        return toName(arguments, words.front());
    return usageError(Words::tr("%1 takes the name of one lock").arg(raw(arguments.command())));
}

Result<void> noWords(const Arguments &arguments)
{
    if (arguments.words().empty())
        return {};
    return usageError(Words::tr("%1 does not know what to do with '%2'")
                          .arg(raw(arguments.command()), raw(arguments.words().front())));
}

Result<LockFilter> toFilter(const Arguments &arguments)
{
    return LockFilter::parse(arguments.value("filter"), { lockui::fromPrintable, lockui::printable });
}

/// Of a command that takes no words beside it.
Result<LockFilter> onlyFilter(const Arguments &arguments)
{
    return noWords(arguments).and_then([&] { return toFilter(arguments); });
}

QString oneOf(const std::vector<const char *> &words)
{
    QStringList texts;
    for (const char *word : words)
        texts << QString::fromLatin1(word);
    const QString last = texts.takeLast();
    return Words::tr("%1 or %2").arg(texts.join(QStringLiteral(", ")), last);
}

Result<lockcore::client::LockTarget> toTarget(const Arguments &arguments)
{
    auto name = onlyName(arguments);
    if (!name)
        return tl::unexpected(name.error());
    lockcore::client::LockTarget target{ *name, Kind::Reentrant, std::nullopt };
    if (arguments.has("kind")) {
        const auto kind = holdKindNamed(arguments.value("kind"));
        if (!kind)
            return usageError(
                Words::tr("--kind is %1, not '%2'").arg(oneOf(holdKindNames()), raw(arguments.value("kind"))));
        target.kind = kind->first;
        target.variant = kind->second;
    }
    if (arguments.has("mode")) {
        target.mode = modeNamed(arguments.value("mode"));
        if (!target.mode)
            return usageError(Words::tr("--mode is read or write, not '%1'").arg(raw(arguments.value("mode"))));
    }
    if ((target.kind == Kind::ReadWrite) != target.mode.has_value())
        return usageError(Words::tr("--mode read or write goes with --kind readWrite, and only there"));
    return target;
}

/// CLIENT:THREAD as ls shows it; the thread may have colons too. Who is meant by less of a client was not seen.
Result<OwnerId> toOwner(const std::string &text, const std::string &where)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
        return usageError(Words::tr("%1 takes CLIENT:THREAD as ls shows them, not '%2'").arg(raw(where), raw(text)));
    const std::string client = text.substr(0, colon);
    if (client.ends_with(Ellipsis) && client.size() < ShortClient + Ellipsis.size())
        return usageError(Words::tr("%1 takes a client as a whole, or its first %n characters or more with …, as ls "
                                    "shows it, not '%2'",
            nullptr, static_cast<int>(ShortClient))
                              .arg(raw(where), raw(text)));
    return OwnerId{ client, text.substr(colon + 1) };
}

/// For read/write locks with :read or :write where the same thread could have both.
Result<ExpectedHolder> toExpectedHolder(const std::string &text)
{
    std::string owner = text;
    ExpectedHolder holder;
    for (const auto mode : { lockcore::synchronizers::HoldMode::Read, lockcore::synchronizers::HoldMode::Write }) {
        const std::string suffix = std::string(":") + nameOf(mode);
        if (text.ends_with(suffix)) {
            owner.resize(text.size() - suffix.size());
            holder.mode = mode;
        }
    }
    if (text.empty())
        return usageError(Words::tr("--expect takes CLIENT:THREAD as ls shows them"));
    const auto told = toOwner(owner, "--expect");
    const bool isShortToken = owner.ends_with(Ellipsis) && owner.find(':') == std::string::npos
        && owner.size() >= ShortClient + Ellipsis.size();
    if (!told && !isShortToken && owner.find(Ellipsis) != std::string::npos)
        return tl::unexpected(told.error());
    // What another program wrote into a lock need not be of that form.
    holder.owner = told.value_or(OwnerId{ owner, std::string() });
    return holder;
}

/// Of `COMMAND NAME [CLIENT:THREAD …]`: holders can be named behind --expect, or go on behind it.
Result<std::vector<ExpectedHolder>> expectedHolders(const Arguments &arguments)
{
    const std::string command = arguments.command();
    const std::vector<std::string> words = arguments.words();
    if (words.empty())
        return usageError(Words::tr("%1 takes the name of one lock").arg(raw(command)));
    if (!arguments.has("expect")) {
        return usageError(Words::tr("%1 needs --expect CLIENT:THREAD for every holder that you saw (lockctl show "
                                    "tells them): if anybody else holds the lock by then, nothing is done")
                              .arg(raw(command)));
    }
    std::vector<std::string> texts = arguments.values("expect");
    texts.insert(texts.end(), words.begin() + 1, words.end());
    std::vector<ExpectedHolder> expected;
    for (const std::string &text : texts) {
        auto holder = toName(arguments, text).and_then(toExpectedHolder);
        if (!holder)
            return tl::unexpected(holder.error());
        if (std::ranges::find(expected, *holder) == expected.end()) // one who is named twice is expected once
            expected.push_back(*holder);
    }
    return expected;
}

using NameAndHolders = std::pair<LockName, std::vector<ExpectedHolder>>;

Result<NameAndHolders> nameAndHolders(const Arguments &arguments)
{
    return expectedHolders(arguments).and_then([&](const std::vector<ExpectedHolder> &expected) {
        return toName(arguments, arguments.words().front()).map([&](const LockName &name) {
            return NameAndHolders(name, expected);
        });
    });
}

std::string auditFile(const Arguments &arguments)
{
    return arguments.has("audit-file") ? arguments.value("audit-file") : app::auditPath();
}

/// What every action on others has in common.
Result<Request> toAct(const Arguments &arguments, lockcore::synchronizers::AdminCommand command)
{
    const std::string reason = arguments.value("reason");
    if (QString::fromStdString(reason).trimmed().isEmpty())
        return usageError(Words::tr("%1 needs --reason TEXT for the audit log").arg(raw(arguments.command())));
    if (!arguments.has("writable")) {
        return usageError(Words::tr("%1 changes the server; repeat it with --writable if that is what you want")
                              .arg(raw(arguments.command())));
    }
    std::visit([&](auto &action) { action.reason = reason; }, command);
    return ActRequest{ std::move(command), auditFile(arguments) };
}

/// The name of a lock, and one word more.
Result<std::pair<LockName, std::string>> nameAnd(const Arguments &arguments, const QString &what)
{
    const std::vector<std::string> words = arguments.words();
    if (words.size() != 2)
        return usageError(Words::tr("%1 takes the name of one lock and %2").arg(raw(arguments.command()), what));
    return toName(arguments, words.at(0)).and_then([&](const LockName &name) {
        return toName(arguments, words.at(1)).map([&](const std::string &word) { return std::pair(name, word); });
    });
}

/// A day, or a moment of one, by the clock here unless the zone is told.
Result<std::optional<WallTime>> toMoment(const Arguments &arguments, const char *option)
{
    if (!arguments.has(option))
        return std::nullopt;
    const std::string text = arguments.value(option);
    const QDateTime moment = QDateTime::fromString(QString::fromStdString(text), Qt::ISODateWithMs);
    if (!moment.isValid()) {
        const std::string_view name = option;
        const bool isOfRecording = name == "at" || name == "from" || name == "to";
        const QString sentence = isOfRecording
            ? Words::tr("--%1 takes a day or a moment such as 2026-11-20 or 2026-11-20T14:02:11Z, or a time after the "
                        "beginning such as +90s, not '%2'")
            : Words::tr("--%1 takes a day or a moment such as 2026-11-20 or 2026-11-20T14:02:11Z, not '%2'");
        return usageError(sentence.arg(QString::fromLatin1(option), raw(text)));
    }
    return WallTime(Millis(moment.toMSecsSinceEpoch()));
}

Result<std::string> onlyFile(const Arguments &arguments)
{
    const std::vector<std::string> words = arguments.words();
    if (words.size() == 1)
        return words.front();
    return usageError(Words::tr("%1 takes the name of one file").arg(raw(arguments.command())));
}

Result<std::optional<std::int64_t>> toBytes(const Arguments &arguments, const char *option)
{
    constexpr qint64 Least = 1'000'000;
    if (!arguments.has(option))
        return std::nullopt;
    bool isNumber = false;
    const qint64 bytes = QString::fromStdString(arguments.value(option)).toLongLong(&isNumber);
    if (!isNumber || bytes < Least)
        return usageError(Words::tr("--%1 takes bytes, at least %2, not '%3'")
                              .arg(QString::fromLatin1(option))
                              .arg(Least)
                              .arg(raw(arguments.value(option))));
    return bytes;
}

Result<std::optional<lockcore::monitor::Feed>> toFeed(const Arguments &arguments)
{
    if (!arguments.has("feed"))
        return std::nullopt;
    const auto feed = feedNamed(arguments.value("feed"));
    if (!feed)
        return usageError(Words::tr("--feed is %1, not '%2'").arg(oneOf(feedNames()), raw(arguments.value("feed"))));
    return feed;
}

} // namespace

Result<Request> toLs(const Arguments &arguments)
{
    return onlyFilter(arguments).map([](LockFilter filter) -> Request { return LsRequest{ std::move(filter) }; });
}

Result<Request> toWatch(const Arguments &arguments)
{
    const auto filter = onlyFilter(arguments);
    const auto feed = toFeed(arguments);
    if (!filter || !feed)
        return tl::unexpected(filter ? feed.error() : filter.error());
    return WatchRequest{ *filter, *feed };
}

Result<Request> toShow(const Arguments &arguments)
{
    return onlyName(arguments).map([](std::string name) -> Request { return ShowRequest{ std::move(name) }; });
}

Result<Request> toDiagnose(const Arguments &arguments)
{
    DiagnoseRequest request;
    if (!arguments.words().empty()) {
        const auto name = onlyName(arguments);
        if (!name)
            return tl::unexpected(name.error());
        request.name = *name;
    }
    const auto filter = toFilter(arguments);
    const auto watchFor = arguments.millis("for", 1);
    if (!filter || !watchFor)
        return tl::unexpected(filter ? watchFor.error() : filter.error());
    request.filter = *filter;
    request.watchFor = *watchFor;
    return request;
}

Result<Request> toHold(const Arguments &arguments)
{
    const auto target = toTarget(arguments);
    const auto lease = arguments.millis("lease", 1);
    const auto wait = arguments.millis("wait", 0);
    const auto holdFor = arguments.millis("for", 0);
    if (!target)
        return tl::unexpected(target.error());
    for (const auto *duration : { &lease, &wait, &holdFor }) {
        if (!*duration)
            return tl::unexpected(duration->error());
    }
    if (*lease && target->kind == Kind::Semaphore)
        return usageError(Words::tr("a semaphore's permits have no lease: --lease does not go with --kind semaphore"));
    return HoldRequest{ *target, *lease, *wait, *holdFor };
}

Result<Request> toForceRelease(const Arguments &arguments)
{
    return nameAndHolders(arguments).and_then([&](NameAndHolders seen) {
        return toAct(arguments,
            lockcore::synchronizers::ForceRelease{ seen.first, {}, std::move(seen.second), {}, arguments.has("only") });
    });
}

Result<Request> toRenew(const Arguments &arguments)
{
    const auto ttl = arguments.millis("ttl", 1);
    if (!ttl)
        return tl::unexpected(ttl.error());
    return nameAndHolders(arguments).and_then([&](NameAndHolders seen) -> Result<Request> {
        if (!*ttl)
            return usageError(Words::tr("renew needs --ttl MS: how long the lock shall live from now"));
        return toAct(arguments, lockcore::synchronizers::SetTtl{ seen.first, {}, std::move(seen.second), **ttl, {} });
    });
}

Result<Request> toDropWaiter(const Arguments &arguments)
{
    return nameAnd(arguments, Words::tr("the waiter, CLIENT:THREAD")).and_then([&](const auto &words) {
        return toOwner(words.second, "drop-waiter").and_then([&](const OwnerId &waiter) {
            return toAct(arguments, lockcore::synchronizers::DropWaiter{ words.first, waiter, {} });
        });
    });
}

Result<Request> toReturnPermit(const Arguments &arguments)
{
    return nameAnd(arguments, Words::tr("the id of a permit")).and_then([&](const auto &words) {
        return toAct(arguments, lockcore::synchronizers::ReturnPermit{ words.first, words.second, {} });
    });
}

Result<Request> toAudit(const Arguments &arguments)
{
    const auto since = toMoment(arguments, "since");
    const auto until = toMoment(arguments, "until");
    for (const auto *moment : { &since, &until }) {
        if (!*moment)
            return tl::unexpected(moment->error());
    }
    const auto lock = toName(arguments, arguments.value("lock"));
    if (!lock)
        return tl::unexpected(lock.error());
    return noWords(arguments).map([&]() -> Request {
        return AuditRequest{ auditFile(arguments), arguments.has("audit-file"),
            arguments.has("lock") ? std::optional(*lock) : std::nullopt, *since, *until, arguments.has("json") };
    });
}

Result<Request> toRecord(const Arguments &arguments)
{
    const auto file = onlyFile(arguments);
    const auto recordFor = arguments.millis("for", 1);
    const auto maxBytes = toBytes(arguments, "max-size");
    const auto maxAge = arguments.millis("max-age", 1'000);
    if (!file || !maxBytes)
        return tl::unexpected(file ? maxBytes.error() : file.error());
    if (!recordFor || !maxAge)
        return tl::unexpected(recordFor ? maxAge.error() : recordFor.error());
    const auto feed = toFeed(arguments);
    if (!feed)
        return tl::unexpected(feed.error());
    return RecordRequest{ *file, *recordFor, { *maxBytes, *maxAge }, *feed };
}

/// A moment, or a time after the beginning.
Result<RecordedMoment> toRecordedMoment(const Arguments &arguments, const char *option)
{
    constexpr Millis Longest{ std::numeric_limits<std::int64_t>::max()
        / 2'000'000 }; // also in nanoseconds, after a moment
    const QString text = QString::fromStdString(arguments.value(option));
    if (!text.startsWith(u'+'))
        return toMoment(arguments, option).map([](std::optional<WallTime> at) { return RecordedMoment{ at, {} }; });
    const auto after = lockcore::parseDuration(text.mid(1).toStdString(), { Millis(1), Millis(0), Longest });
    if (!after)
        return usageError(Words::tr("--%1 takes + and a time after the beginning, such as +90s, +1h or +1500 "
                                    "(milliseconds), not '%2'")
                              .arg(QString::fromLatin1(option), text));
    return RecordedMoment{ {}, after };
}

Result<Request> toReplay(const Arguments &arguments)
{
    const auto file = onlyFile(arguments);
    if (!file)
        return tl::unexpected(file.error());
    return toRecordedMoment(arguments, "at").map([&](const RecordedMoment &moment) -> Request {
        return ReplayRequest{ *file, moment, arguments.has("json") };
    });
}

Result<Request> toMakeScenario(const Arguments &arguments)
{
    const auto file = onlyFile(arguments);
    if (!file)
        return tl::unexpected(file.error());
    const auto from = toRecordedMoment(arguments, "from");
    const auto to = toRecordedMoment(arguments, "to");
    if (!from || !to)
        return tl::unexpected(from ? to.error() : from.error());
    const auto longestPause = arguments.millis("longest-pause", 0);
    if (!longestPause)
        return tl::unexpected(longestPause.error());
    MakeScenarioRequest request{ *file, *from, *to, {}, {}, arguments.value("out") };
    request.longestPause = longestPause->value_or(MakeScenarioRequest().longestPause);
    constexpr Millis Longest{ 10'000 };
    if (request.longestPause > Longest)
        return usageError(Words::tr("--longest-pause takes up to 10s: a play waits for each of them"));
    for (const std::string &text : arguments.values("lock")) {
        const auto name = toName(arguments, text);
        if (!name)
            return tl::unexpected(name.error());
        request.locks.push_back(*name);
    }
    if (arguments.has("out") && request.out.empty())
        return usageError(Words::tr("--out takes a file"));
    return request;
}

Result<Request> toRun(const Arguments &arguments)
{
    constexpr std::size_t MostPlays = 10'000;
    RunRequest request{ arguments.words(), arguments.has("all"), 1, arguments.has("json"), arguments.value("report"),
        app::redissonPlaces() };
    if (arguments.has("redisson"))
        request.redisson = raw(arguments.value("redisson")).split(QDir::listSeparator(), Qt::SkipEmptyParts);
    request.onForeign = arguments.has("url") || arguments.has("profile");
    if (arguments.has("demo"))
        return usageError(Words::tr("run brings its own servers and does not go with --demo"));
    if (request.onForeign && !arguments.has("writable"))
        return usageError(Words::tr("on a server of yours run takes locks, under names of their own; repeat it with "
                                    "--writable if that is what you want"));
    if (request.all != request.scenarios.empty())
        return usageError(
            Words::tr("run takes names of scenarios or files, or --all for those that come with the program"));
    if (const std::string text = arguments.value("repeat"); arguments.has("repeat")) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), request.repeat);
        if (error != std::errc() || end != text.data() + text.size() || request.repeat == 0
            || request.repeat > MostPlays)
            return usageError(
                Words::tr("--repeat takes a number from 1 to %1, not '%2'").arg(MostPlays).arg(raw(text)));
    }
    if (arguments.has("report") && request.report.empty())
        return usageError(Words::tr("--report takes a file"));
    return request;
}

Result<Request> toScenarios(const Arguments &arguments)
{
    ScenariosRequest request{ std::nullopt, arguments.has("json") };
    if (arguments.has("print"))
        request.text = arguments.value("print");
    return noWords(arguments).map([&]() -> Request { return request; });
}

Result<Request> toClient(const Arguments &arguments)
{
    ClientRequest request;
    const auto watchdog = arguments.millis("watchdog", 500);
    const auto fairWait = arguments.millis("fair-wait", 1);
    for (const auto *duration : { &watchdog, &fairWait }) {
        if (!*duration)
            return tl::unexpected(duration->error());
    }
    request.options.watchdogTimeout = watchdog->value_or(request.options.watchdogTimeout);
    request.options.fairWait = fairWait->value_or(request.options.fairWait);
    if (arguments.has("no-renewals"))
        request.options.renewEvery = std::chrono::hours(24);
    request.givesBack = arguments.has("give-back");
    if (arguments.has("clean-up")) {
        request.cleanUp = arguments.value("clean-up");
        if (!app::isLabPrefix(*request.cleanUp))
            return usageError(Words::tr("--clean-up takes the prefix of a scenario's names, such as "
                                        "lockscope-lab:0123456789abcdef:, not '%1'")
                                  .arg(raw(*request.cleanUp)));
    }
    return noWords(arguments).map([&]() -> Request { return request; });
}

} // namespace lockctl
