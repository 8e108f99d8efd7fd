// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/catalog.h"

#include "lockcore/synchronizers/fair_lock.h"
#include "lockcore/synchronizers/faster_multi_lock.h"
#include "lockcore/synchronizers/fenced_lock.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/read_write_lock.h"
#include "lockcore/synchronizers/token_lock.h"

#include <algorithm>

namespace lockcore::synchronizers {

namespace {

constexpr KindRow Kinds[]{
    {
        .value = Kind::Reentrant,
        .name = "reentrant",
        .olderWord = nullptr,
        .code = 0,
        .category = Category::ExclusiveLock,
        .recognise = recogniseExclusive,
        .wordOfValues = nullptr,
        .channel = key_layout::lockChannel,
        .behaviours = { .standard = reentrantLock, .spin = spinLock, .nonReentrant = nonReentrantLock },
        .actions = { .forceRelease = forceReleaseExclusive, .setTtl = setTtlExclusive },
    },
    {
        .value = Kind::Fair,
        .name = "fair",
        .olderWord = nullptr,
        .code = 1,
        .category = Category::ExclusiveLock,
        .recognise = recogniseExclusive,
        .wordOfValues = nullptr,
        .channel = key_layout::lockChannel,
        .behaviours = { .standard = fairLock, .nonReentrant = nonReentrantFairLock },
        .actions = { .forceRelease = forceReleaseExclusive, .setTtl = setTtlExclusive },
    },
    {
        .value = Kind::ReadWrite,
        .name = "readWrite",
        .olderWord = nullptr,
        .code = 2,
        .category = Category::ReadWriteLock,
        .recognise = recogniseReadWrite,
        .wordOfValues = nullptr,
        .channel = key_layout::readWriteChannel,
        .behaviours = { .standard = writeLock, .read = readLock },
        .actions = { .forceRelease = forceReleaseReadWrite, .setTtl = setTtlReadWrite },
    },
    {
        .value = Kind::Fenced,
        .name = "fenced",
        .olderWord = nullptr,
        .code = 3,
        .category = Category::ExclusiveLock,
        .recognise = recogniseExclusive,
        .wordOfValues = nullptr,
        .channel = key_layout::lockChannel,
        .behaviours = { .standard = fencedLock },
        .actions = { .forceRelease = forceReleaseExclusive, .setTtl = setTtlExclusive },
    },
    {
        .value = Kind::FasterMulti,
        .name = "fasterMulti",
        .olderWord = nullptr,
        .code = 4,
        .category = Category::MultiLock,
        .recognise = recogniseFasterMulti,
        .wordOfValues = nullptr,
        .channel = key_layout::lockChannel,
        .behaviours = { .standard = fasterMultiLock },
        .actions = { .forceRelease = forceReleaseFasterMulti, .setTtl = setTtlFasterMulti },
    },
    {
        .value = Kind::Semaphore,
        .name = "semaphore",
        .olderWord = nullptr,
        .code = 5,
        .category = Category::Semaphore,
        .recognise = nullptr,
        .wordOfValues = "semaphore",
        .channel = key_layout::semaphoreChannel,
    },
    {
        .value = Kind::PermitExpirableSemaphore,
        .name = "permitExpirableSemaphore",
        .olderWord = "permits",
        .code = 6,
        .category = Category::Semaphore,
        .recognise = nullptr,
        .wordOfValues = "permitexpirablesemaphore",
        .channel = key_layout::semaphoreChannel,
    },
    {
        .value = Kind::CountDownLatch,
        .name = "countDownLatch",
        .olderWord = "latch",
        .code = 7,
        .category = Category::Latch,
        .recognise = nullptr,
        .wordOfValues = "countdownlatch",
        .channel = key_layout::latchChannel,
    },
    {
        .value = Kind::Token,
        .name = "token",
        .olderWord = nullptr,
        .code = 8,
        .category = Category::TokenLock,
        .recognise = nullptr,
        .wordOfValues = nullptr,
        .channel = nullptr,
        .behaviours = { .standard = tokenLock },
        .actions = { .forceRelease = forceReleaseToken, .setTtl = setTtlToken },
    },
};
static_assert(hasRowForEach(Kinds));

char lowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool isSameWord(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lowerCase, lowerCase); }

tl::unexpected<Error> notUsedSo(LockVariant variant)
{
    return failure(
        ErrorCode::InvalidArgument, { variant == LockVariant::Spin ? Phrase::NotSpin : Phrase::NotNonReentrant });
}

} // namespace

std::span<const KindRow> allKinds() { return Kinds; }

const KindRow &rowOf(Kind kind) { return lockcore::rowOf(Kinds, kind); }

const char *nameOf(Kind kind) { return rowOf(kind).name; }

std::optional<Kind> kindNamed(std::string_view word)
{
    for (const KindRow &row : Kinds) {
        if (isSameWord(word, row.name) || (row.olderWord != nullptr && isSameWord(word, row.olderWord)))
            return row.value;
    }
    return std::nullopt;
}

/// With the older words, which are shorter, in parentheses.
std::string kindNames()
{
    std::string names;
    for (const KindRow &row : Kinds) {
        names.append(names.empty() ? "" : ", ").append(row.name);
        if (row.olderWord != nullptr)
            names.append(" (").append(row.olderWord).append(")");
    }
    return names;
}

Result<const LockBehaviour *> lockBehaviour(Kind kind, std::optional<HoldMode> mode, LockVariant variant)
{
    const KindRow &row = rowOf(kind);
    const Behaviours &ways = row.behaviours;
    if (mode && row.category != Category::ReadWriteLock)
        return failure(ErrorCode::InvalidArgument, { Phrase::ModeUnused });
    if (variant != LockVariant::Standard) {
        const auto find = variant == LockVariant::Spin ? ways.spin : ways.nonReentrant;
        return find ? Result<const LockBehaviour *>(&find()) : notUsedSo(variant);
    }
    if (row.category == Category::ReadWriteLock && !mode)
        return failure(ErrorCode::InvalidArgument, { Phrase::ModeMissing });
    const auto find = mode == HoldMode::Read ? ways.read : ways.standard;
    if (!find)
        return failure(ErrorCode::NotSupported, { Phrase::NoLock });
    return &find();
}

} // namespace lockcore::synchronizers
