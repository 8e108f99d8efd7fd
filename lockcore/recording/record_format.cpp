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
    const auto kept = static_cast<std::ptrdiff_t>(old.size() - gone);
    archive.field(CornersForgotten, gone);
    archive.field(CornersAdded, Corners(now.begin() + kept, now.end()));
}

Corners readCorners(ArchiveReader &archive)
{
    Corners corners;
    if (archive.isNumbered()) {
        archive.field(CornersAdded, corners);
        return corners;
    }
    std::size_t left = 0;
    archive.field(CornersAdded, left);
    for (; left > 0 && archive.isGood(); --left)
        archive.field(CornersAdded, corners.emplace_back());
    return corners;
}

void readHistory(ArchiveReader &archive, LockState &lock, const LockState *previous)
{
    const Corners old = historyOf(previous);
    std::size_t gone = 0;
    archive.field(CornersForgotten, gone);
    if (gone > old.size())
        gone = archive.fail();
    const Corners added = readCorners(archive);
    lock.ttlHistory.assign(old.begin() + static_cast<std::ptrdiff_t>(gone), old.end());
    lock.ttlHistory.insert(lock.ttlHistory.end(), added.begin(), added.end());
}

/// A key mostly has the lock's name in it, which is not repeated.
enum KeyForm : std::uint8_t { OtherKey, KeyIsName, KeyAroundName };
enum KeyField : unsigned { FormOfKey = 1, KeyBeforeName = 2, KeyAfterName = 3 };

void writeKey(ArchiveWriter &archive, const std::string &key, const LockName &name)
{
    const std::size_t at = key.find(name);
    const bool isAround = at != std::string::npos;
    const int form = key == name ? KeyIsName : isAround ? KeyAroundName : OtherKey;
    archive.field(FormOfKey, form);
    if (form != KeyIsName)
        archive.field(KeyBeforeName, key.substr(0, at));
    if (form == KeyAroundName)
        archive.field(KeyAfterName, key.substr(at + name.size()));
}

std::string readKey(ArchiveReader &archive, const LockName &name)
{
    int form = OtherKey;
    archive.field(FormOfKey, form);
    if (form == KeyIsName)
        return name;
    std::string before;
    archive.field(KeyBeforeName, before);
    if (form == OtherKey)
        return before;
    std::string after;
    archive.field(KeyAfterName, after);
    return before + name + after;
}

/// Without its members, which have none themselves.
void writeOne(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    archive.field(NameOfLock, lock.name);
    plainFields(archive, lock);
    archive.each(KeysOfLock, keysOf(lock), [&](const std::string &key) { writeKey(archive, key, lock.name); });
    writeHistory(archive, historyOf(&lock), historyOf(previous));
}

/// A lock whose name has been read.
std::shared_ptr<LockState> readOne(ArchiveReader &archive, LockName name, const LockState *previous)
{
    auto lock = std::make_shared<LockState>();
    lock->name = std::move(name);
    plainFields(archive, *lock);
    std::vector<std::string> &keys = lock->otherKeys;
    archive.each(KeysOfLock, [&] { keys.push_back(readKey(archive, lock->name)); });
    lock->hasMainKey = !keys.empty() && keys.front() == lock->name;
    if (lock->hasMainKey)
        keys.erase(keys.begin());
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
    archive.each(MembersOfLock, lock.members, [&](const std::shared_ptr<const LockState> &member) {
        const std::size_t place = placeOf(member->node, previous);
        const auto before = place < memberCount(previous) ? previous->members[place] : nullptr;
        const bool same = before == member;
        archive.field(PlaceOfMember, place);
        archive.field(IsSameMember, same);
        if (!same)
            writeOne(archive, *member, before.get());
    });
}

void readMembers(ArchiveReader &archive, LockState &lock, const LockState *previous)
{
    archive.each(MembersOfLock, [&] {
        std::size_t place = 0;
        bool same = false;
        archive.field(PlaceOfMember, place);
        archive.field(IsSameMember, same);
        const auto before = place < memberCount(previous) ? previous->members[place] : nullptr;
        if (same && before) {
            lock.members.push_back(before);
        } else if (same) {
            archive.fail();
        } else {
            LockName name;
            archive.field(NameOfLock, name);
            lock.members.push_back(readOne(archive, std::move(name), before.get()));
        }
    });
}

} // namespace

void writeLock(ArchiveWriter &archive, const LockState &lock, const LockState *previous)
{
    writeOne(archive, lock, previous);
    writeMembers(archive, lock, previous);
}

std::shared_ptr<const LockState> readLock(ArchiveReader &archive, const LockList &previous)
{
    LockName name;
    archive.field(NameOfLock, name);
    const auto before = previous.find(name);
    auto lock = readOne(archive, std::move(name), before.get());
    readMembers(archive, *lock, before.get());
    return lock;
}

} // namespace lockcore
