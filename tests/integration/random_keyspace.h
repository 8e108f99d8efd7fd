// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace testsupport {

/// Times to live are multiples of this plus a half, so that the time a test takes can be cut off.
constexpr std::int64_t TtlStep = 1'000'000;

/// Locks of every kind among other keys, many of which look much like locks; with what a reader is to find.
class RandomKeyspace {
public:
    RandomKeyspace(int others, int locks, unsigned seed = 1);

    /// Spoils locks: fields, values, types and auxiliary keys are changed at random. `locks` is no longer true then.
    void damage(int times);

    const std::vector<lockcore::protocol::Command> &commands() const { return m_commands; }
    const std::vector<lockcore::synchronizers::LockReading> &locks() const { return m_locks; }
    std::vector<lockcore::LockName> names() const; // of all keys ever named, and their possible namesakes

private:
    int random(int below);
    std::string uuid();
    lockcore::OwnerId owner();
    lockcore::LockName lockName();
    void add(lockcore::protocol::Command command);
    void expire(const std::string &key, std::int64_t steps);
    lockcore::synchronizers::LockReading &start(lockcore::synchronizers::Kind kind);

    void addLock(int index);
    void addExclusive(lockcore::synchronizers::LockReading &lock);
    void addQueue(lockcore::synchronizers::LockReading &lock);
    void addReadWrite(bool write);
    void addReader(lockcore::synchronizers::LockReading &lock, const lockcore::OwnerId &owner);
    void addGroup();
    void addOther(int index);
    lockcore::protocol::Command otherHash(const std::string &name);
    void damageOne();

    std::mt19937 m_random;
    int m_next = 0;
    std::vector<lockcore::protocol::Command> m_commands;
    std::vector<lockcore::synchronizers::LockReading> m_locks;
};

} // namespace testsupport
