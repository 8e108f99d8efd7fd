// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/watch/true_course.h"

#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

namespace crowdwatch {

namespace {

constexpr std::string_view Queue = "redisson_lock_queue:{";
constexpr std::string_view Deadlines = "redisson_lock_timeout:{";
constexpr std::string_view WriteEnding = ":write";
constexpr std::string_view AfterName = "}:";
constexpr std::string_view ReaderTimeout = ":rwlock_timeout:";
constexpr Moment UnsureOfExpiry{ 5'000 }; // the server's clock stands still within a script

bool isLock(std::string_view key)
{
    for (const std::string_view kind : { "reentrant:", "fair:", "readWrite:", "spin:", "fenced:" }) {
        if (key.starts_with(kind))
            return true;
    }
    return false;
}

bool isSemaphore(std::string_view key) { return key.starts_with("semaphore:"); }

std::int64_t numberIn(std::string_view digits)
{
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::string ownerOf(std::string_view field)
{
    return std::string(field.ends_with(WriteEnding) ? field.substr(0, field.size() - WriteEnding.size()) : field);
}

} // namespace

const char *name(End end)
{
    switch (end) {
    case End::Open:
        return "held still";
    case End::Released:
        return "released";
    case End::Expired:
        return "expired";
    case End::Forced:
        return "forceReleased";
    case End::Deleted:
        return "deleted";
    }
    return "";
}

void TrueCourses::take(const TracedCommand &command)
{
    if (!command.fromScript) {
        endStep();
        m_step = command;
    }
    m_now = command.at;
    apply(command);
}

std::set<std::pair<std::string, std::string>> TrueCourses::held(Moment now) const
{
    std::set<std::pair<std::string, std::string>> held;
    for (const auto &[lock, hash] : m_hashes) {
        if (hash.deadline && *hash.deadline < now)
            continue;
        for (const auto &[field, count] : hash.counts)
            held.emplace(lock, ownerOf(field));
    }
    return held;
}

void TrueCourses::finish(Moment now)
{
    endStep();
    for (const auto &[lock, hash] : std::map(m_hashes))
        runOut(lock, now);
}

void TrueCourses::endStep()
{
    for (const auto &[lock, before] : m_touched)
        compare(lock, before);
    m_touched.clear();
    m_extended.clear();
    m_goneReaders.clear();
    m_step.reset();
}

void TrueCourses::apply(const TracedCommand &command)
{
    const auto &words = command.words;
    std::string verb = words[0];
    std::ranges::transform(verb, verb.begin(), [](unsigned char letter) { return std::tolower(letter); });
    const std::size_t keys
        = verb == "del" || verb == "unlink" ? words.size() - 1 : std::min<std::size_t>(1, words.size() - 1);
    for (std::size_t i = 1; i <= keys; ++i) {
        const std::string &key = words[i];
        if (isLock(key))
            applyToHash(key, verb, words);
        else if (isSemaphore(key))
            applyToNumber(key, verb, words);
        else if (key.starts_with(Queue) && key.ends_with('}'))
            applyToQueue(key.substr(Queue.size(), key.size() - Queue.size() - 1), verb, words);
        else if (key.starts_with(Deadlines) && key.ends_with('}'))
            applyToDeadlines(key.substr(Deadlines.size(), key.size() - Deadlines.size() - 1), verb, words);
        else if (key.find(ReaderTimeout) != std::string::npos)
            applyToReader(key, verb, words);
    }
}

void TrueCourses::applyToHash(const std::string &lock, const std::string &verb, const Words &words)
{
    static const std::set<std::string> Writing{ "hset", "hincrby", "hdel", "pexpire", "persist", "del", "unlink" };
    if (!Writing.contains(verb))
        return;
    // About the deadline the server alone knows; who takes it as a free lock knows from the server.
    const bool takesFree = words.size() > 2 && (verb == "hset" || verb == "hincrby")
        && (lock.starts_with("readWrite:") ? words[2] == "mode" : !m_hashes[lock].counts.contains(words[2]));
    runOut(lock, takesFree ? m_now + UnsureOfExpiry : m_now - UnsureOfExpiry);
    Hash &hash = m_hashes[lock];
    m_touched.try_emplace(lock, hash);
    if (verb == "hset") {
        for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
            if (words[i] != "mode")
                hash.counts[words[i]] = numberIn(words[i + 1]);
        }
    } else if (verb == "hincrby") {
        hash.counts[words[2]] += numberIn(words[3]);
    } else if (verb == "hdel") {
        for (std::size_t i = 2; i < words.size(); ++i)
            hash.counts.erase(words[i]);
    } else if (verb == "pexpire") {
        if (hash.counts.empty())
            return;
        hash.deadline = m_now + std::chrono::milliseconds(numberIn(words[2]));
        m_courses[lock].leases.push_back({ m_now, *hash.deadline });
        if (hash.counts.size() == 1) // readers that share it have leases of their own
            m_extended.insert(lock + ' ' + hash.counts.begin()->first);
    } else if (verb == "persist") {
        hash.deadline.reset();
    } else {
        hash = {};
    }
}

void TrueCourses::applyToNumber(const std::string &name, const std::string &verb, const Words &words)
{
    auto &numbers = m_courses[name].numbers;
    const std::int64_t before = numbers.empty() ? 0 : numbers.back().second;
    const std::int64_t by = words.size() > 2 ? numberIn(words[2]) : 1;
    if (verb == "set")
        numbers.emplace_back(m_now, by);
    else if (verb == "incrby" || verb == "incr")
        numbers.emplace_back(m_now, before + by);
    else if (verb == "decrby" || verb == "decr")
        numbers.emplace_back(m_now, before - by);
}

void TrueCourses::applyToQueue(const std::string &lock, const std::string &verb, const Words &words)
{
    auto &queue = m_queues[lock];
    auto &stays = m_courses[lock].stays;
    const auto leave = [&](const std::string &owner) {
        const auto stay
            = std::find_if(stays.rbegin(), stays.rend(), [&](const TrueStay &each) { return each.owner == owner; });
        if (stay == stays.rend() || stay->end != Moment{})
            return;
        stay->end = m_now;
        stay->thrownOut = !isAskedBy(owner);
        const auto deadline = m_deadlines.find(lock + ' ' + owner);
        stay->overdue = deadline != m_deadlines.end()
            && deadline->second <= static_cast<double>((m_now + UnsureOfExpiry).count()) / 1e3;
    };
    if (verb == "rpush") {
        for (std::size_t i = 2; i < words.size(); ++i) {
            queue.push_back(words[i]);
            stays.push_back({ words[i], m_now });
        }
    } else if (verb == "lpop" && !queue.empty()) {
        leave(queue.front());
        queue.erase(queue.begin());
    } else if (verb == "lrem") {
        if (std::erase(queue, words[3]) > 0)
            leave(words[3]);
    } else if (verb == "del" || verb == "unlink") {
        for (const std::string &owner : queue)
            leave(owner);
        queue.clear();
    }
}

/// What is removed is kept: whoever is thrown out loses the deadline first.
void TrueCourses::applyToDeadlines(const std::string &lock, const std::string &verb, const Words &words)
{
    const bool adds = verb == "zincrby" || (verb == "zadd" && words.size() > 4); // ZADD key XX INCR by owner
    if (verb != "zincrby" && verb != "zadd")
        return;
    double &deadline = m_deadlines[lock + ' ' + words.back()];
    const double number = std::stod(words[words.size() - 2]);
    deadline = adds ? deadline + number : number;
}

/// `{lock}:owner:rwlock_timeout:n`: one for each time that a reader holds it. Older clients renew those of all readers,
/// also of one whose time is over: its key is not there any more, and PEXPIRE does nothing.
void TrueCourses::applyToReader(const std::string &key, const std::string &verb, const Words &words)
{
    if (verb == "del" || verb == "unlink") {
        if (auto gone = m_readers.extract(key))
            m_goneReaders.insert(std::move(gone));
    } else if (verb == "set") {
        const bool hasLease = words.size() > 4; // SET key 1 PX lease
        m_readers[key] = hasLease ? m_now + std::chrono::milliseconds(numberIn(words[4])) : Moment::max();
    } else if (verb == "pexpire") {
        const auto reader = m_readers.find(key);
        if (reader == m_readers.end() || reader->second < m_now - UnsureOfExpiry)
            return;
        reader->second = m_now + std::chrono::milliseconds(numberIn(words[2]));
        const auto brace = key.find(AfterName);
        const auto timeout = key.find(ReaderTimeout);
        m_extended.insert(
            key.substr(1, brace - 1) + ' ' + key.substr(brace + AfterName.size(), timeout - brace - AfterName.size()));
    }
}

void TrueCourses::runOut(const std::string &lock, Moment until)
{
    Hash &hash = m_hashes[lock];
    if (!hash.deadline || *hash.deadline > until)
        return;
    const Hash gone = std::exchange(hash, {});
    for (const auto &[field, count] : gone.counts)
        end(lock, field, *gone.deadline, End::Expired);
}

void TrueCourses::compare(const std::string &lock, const Hash &before)
{
    const Hash &after = m_hashes[lock];
    TrueCourse &course = m_courses[lock];
    for (const auto &[field, count] : before.counts) {
        if (!after.counts.contains(field))
            end(lock, field, m_now, howEnded(field));
    }
    for (const auto &[field, count] : after.counts) {
        const auto known = before.counts.find(field);
        if (known == before.counts.end())
            begin(lock, field);
        else if (count > known->second)
            course.reentries.push_back({ ownerOf(field), m_now, count });
        else if (count < known->second)
            course.partialReleases.push_back({ ownerOf(field), m_now, count });
        else if (m_extended.contains(lock + ' ' + field))
            course.renewals.push_back({ ownerOf(field), m_now, count });
    }
    if (after.counts.empty())
        m_hashes.erase(lock);
}

void TrueCourses::begin(const std::string &lock, const std::string &field)
{
    TrueCourse &course = m_courses[lock];
    course.holds.push_back({ ownerOf(field), field.ends_with(WriteEnding), m_now });
    const auto stay = std::find_if(course.stays.rbegin(), course.stays.rend(),
        [&](const TrueStay &each) { return each.owner == course.holds.back().owner; });
    if (stay != course.stays.rend() && stay->end >= m_step->at)
        stay->acquired = true;
}

void TrueCourses::end(const std::string &lock, const std::string &field, Moment at, End how)
{
    auto &holds = m_courses[lock].holds;
    const auto hold = std::find_if(holds.rbegin(), holds.rend(), [&](const TrueHold &each) {
        return each.owner == ownerOf(field) && each.writes == field.ends_with(WriteEnding);
    });
    if (hold == holds.rend())
        return; // it began before the trace
    hold->end = at;
    hold->how = how;
    hold->ranOut = how == End::Expired || (!hold->writes && readerRanOut(lock, hold->owner, at));
}

/// All its own time-outs have passed, though its field may stand in the hash.
bool TrueCourses::readerRanOut(const std::string &lock, const std::string &owner, Moment at) const
{
    const std::string own = '{' + lock + std::string(AfterName) + owner + std::string(ReaderTimeout);
    bool any = false;
    bool all = true;
    for (const auto *deadlines : { &m_readers, &m_goneReaders }) {
        for (auto each = deadlines->lower_bound(own); each != deadlines->end() && each->first.starts_with(own);
             ++each) {
            any = true;
            all = all && each->second <= at + UnsureOfExpiry;
        }
    }
    return any && all;
}

End TrueCourses::howEnded(const std::string &field) const
{
    if (isAskedBy(ownerOf(field)))
        return End::Released;
    const char first = m_step->words[0].front();
    return first == 'e' || first == 'E' ? End::Forced : End::Deleted; // by a script, or by a plain command
}

/// Its own acquires and releases name it; what another does with its hold does not.
bool TrueCourses::isAskedBy(const std::string &owner) const
{
    return m_step
        && std::ranges::any_of(m_step->words, [&](const std::string &word) { return ownerOf(word) == owner; });
}

} // namespace crowdwatch
