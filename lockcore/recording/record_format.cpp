// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/record_format.h"

#include "lockcore/recording/record_fields.h"

#include <algorithm>

namespace lockcore {

namespace {

using Corners = std::vector<TtlCorner>;

Corners historyOf(const LockState *lock) { return lock != nullptr ? ttlHistoryOf(*lock) : Corners(); }

/// How many at the front of `old` are gone, if what is left of it is the beginning of `now`; else all of them.
std::size_t forgotten(const Corners &old, const Corners &now)
{
    if (now.empty())
        return old.size();
    const auto kept = std::find(old.begin(), old.end(), now.front());
    const auto left = static_cast<std::size_t>(old.end() - kept);
    const bool continued = left <= now.size() && std::equal(kept, old.end(), now.begin());
    return continued ? old.size() - left : old.size();
}

void writeHistory(ArchiveWriter &archive, const Corners &now, const Corners &old)
{
    const std::size_t gone = forgotten(old, now);
    const std::size_t kept = old.size() - gone;
    archive(gone, now.size() - kept);
    for (std::size_t i = kept; i < now.size(); ++i)
        archive(now[i]);
}

/// After all that is beside it.
void readHistory(ArchiveReader &archive, LockState &lock, const LockState *previous)
{
    const Corners old = historyOf(previous);
    std::size_t gone = 0;
    std::size_t added = 0;
    archive(gone, added);
    if (gone > old.size())
        gone = archive.fail();
    Corners corners(old.begin() + static_cast<std::ptrdiff_t>(gone), old.end());
    for (; added > 0 && archive.isGood(); --added)
        archive(corners.emplace_back());
    lock.ttlHistory = std::move(corners);
}

enum KeyForm : std::uint8_t { OtherKey, KeyIsName, KeyAroundName };

void writeKey(ArchiveWriter &archive, const std::string &key, const LockName &name)
{
    const std::size_t at = key.find(name);
    if (key == name)
        archive(KeyIsName + 0);
    else if (at == std::string::npos)
        archive(OtherKey + 0, key);
    else
        archive(KeyAroundName + 0, key.substr(0, at), key.substr(at + name.size()));
}

std::string readKey(ArchiveReader &archive, const LockName &name)
{
    int form = OtherKey;
    archive(form);
    if (form == KeyIsName)
        return name;
    std::string before;
    archive(before);
    if (form == OtherKey)
        return before;
    std::string after;
    archive(after);
    return before + name + after;
}

/// Without its members, which have none themselves.
void writeOne(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    plainFields(archive, lock);
    const auto keys = keysOf(lock);
    archive.count(keys.size());
    for (const std::string &key : keys)
        writeKey(archive, key, lock.name);
    writeHistory(archive, historyOf(&lock), historyOf(previous));
}

std::shared_ptr<LockState> readOne(ArchiveReader &archive, LockName name, const LockState *previous)
{
    auto lock = std::make_shared<LockState>();
    lock->name = std::move(name);
    plainFields(archive, *lock);
    for (std::size_t left = archive.count(); left > 0 && archive.isGood(); --left)
        lock->otherKeys.push_back(readKey(archive, lock->name));
    lock->hasMainKey = !lock->otherKeys.empty() && lock->otherKeys.front() == lock->name;
    if (lock->hasMainKey)
        lock->otherKeys.erase(lock->otherKeys.begin());
    readHistory(archive, *lock, previous);
    return lock;
}

/// The place of that node's part in the other lock; its size: there is none.
std::size_t placeOf(const std::string &node, const LockState *lock)
{
    if (lock == nullptr)
        return 0;
    const auto found = std::find_if(
        lock->members.begin(), lock->members.end(), [&](const auto &member) { return member->node == node; });
    return static_cast<std::size_t>(found - lock->members.begin());
}

std::size_t memberCount(const LockState *lock) { return lock != nullptr ? lock->members.size() : 0; }

void writeMembers(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    archive.count(lock.members.size());
    for (const auto &member : lock.members) {
        const std::size_t place = placeOf(member->node, previous);
        const auto before = place < memberCount(previous) ? previous->members[place] : nullptr;
        const bool same = before == member;
        archive(static_cast<std::int64_t>(place), same);
        if (!same) {
            archive(member->name);
            writeOne(archive, *member, before.get());
        }
    }
}

void readMembers(ArchiveReader &archive, LockState &lock, const LockState *previous)
{
    for (std::size_t left = archive.count(); left > 0 && archive.isGood(); --left) {
        std::size_t place = 0;
        bool same = false;
        archive(place, same);
        const auto before = place < memberCount(previous) ? previous->members[place] : nullptr;
        if (same && before) {
            lock.members.push_back(before);
        } else if (same) {
            archive.fail();
        } else {
            LockName name;
            archive(name);
            lock.members.push_back(readOne(archive, std::move(name), before.get()));
        }
    }
}

} // namespace

void writeLock(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    writeOne(archive, lock, previous);
    writeMembers(archive, lock, previous);
}

std::shared_ptr<const LockState> readLock(ArchiveReader &archive, LockName name, const LockState *previous)
{
    auto lock = readOne(archive, std::move(name), previous);
    readMembers(archive, *lock, previous);
    return lock;
}

} // namespace lockcore
