// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <QStringList>
#include <map>
#include <string>

/// Locks taken, released and looked at with redis-cli: nothing here is done by lockcore.
namespace testsupport {

inline const QString OwnerA = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7");
inline const QString OwnerB = QStringLiteral("5d0e77c1-0a1b-4c2d-8e3f-405162738495:112");

/// As Redisson does it: in one step.
void take(const RedisServer &server, const QString &name, const QString &owner, int leaseMs);
void release(const RedisServer &server, const QString &name);

/// Reads all hashes: name and first field.
std::map<std::string, std::string> heldDirectly(const RedisServer &server);

/// Of a command without blanks in its arguments.
QStringList words(const char *text);

} // namespace testsupport
