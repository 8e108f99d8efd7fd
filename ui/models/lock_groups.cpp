// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_groups.h"

#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lockui {

using namespace lockcore::monitor;

namespace {

struct GroupText {
    Q_DECLARE_TR_FUNCTIONS(GroupText)
};

} // namespace

std::string_view namePrefix(std::string_view name, int parts)
{
    constexpr std::string_view Separators = ":/.";
    std::size_t end = 0;
    for (int part = 0; part < parts; ++part) {
        const std::size_t begin = name.find_first_not_of(Separators, end);
        const std::size_t next = begin == name.npos ? name.npos : name.find_first_of(Separators, begin);
        if (next == name.npos)
            break;
        end = next + 1;
    }
    return name.substr(0, end);
}

std::vector<GroupKey> groupsOf(const LockState &lock, Grouping grouping)
{
    std::vector<GroupKey> groups;
    if (grouping == Grouping::Client) {
        if (!isFree(lock))
            for (const Holder *holder : holdersNow(lock))
                if (std::ranges::find(groups, holder->owner.client, &GroupKey::text) == groups.end())
                    groups.push_back({ false, holder->owner.client });
    } else {
        const std::string_view prefix = namePrefix(lock.name, grouping == Grouping::LongPrefix ? 2 : 1);
        if (!prefix.empty())
            groups.push_back({ false, std::string(prefix) });
    }
    if (groups.empty())
        groups.push_back({ true, {} });
    return groups;
}

GroupCounts &GroupCounts::operator+=(const GroupCounts &other)
{
    locks += other.locks;
    held += other.held;
    waiting += other.waiting;
    open += other.open;
    atChannels += other.atChannels;
    needy += other.needy;
    return *this;
}

GroupCounts &GroupCounts::operator-=(const GroupCounts &other)
{
    return *this
        += GroupCounts{ -other.locks, -other.held, -other.waiting, -other.open, -other.atChannels, -other.needy };
}

GroupCounts countsOf(const LockState &lock, bool isNeedy)
{
    const auto waiting = waitingCount(lock);
    return { 1, isHeld(lock) ? 1 : 0, waiting.value_or(0), !waiting || mayMoreWait(lock) ? 1 : 0,
        isCountedAtChannel(lock) ? 1 : 0, isNeedy ? 1 : 0 };
}

QString countsText(const GroupCounts &counts, bool heldGoesWithoutSaying, const GroupSight &sight)
{
    QStringList parts{ GroupText::tr("%1 locks", nullptr, sight.isWhole ? pluralOf(counts.locks) : 2)
                           .arg(seenCountText(counts.locks, sight.isWhole)) };
    if (!heldGoesWithoutSaying)
        parts
            << GroupText::tr("%1 held", nullptr, pluralOf(counts.held)).arg(seenCountText(counts.held, sight.isWhole));
    // Of locks that nobody was counted for nothing is claimed.
    if (counts.waiting > 0)
        parts << GroupText::tr("%1 waiting", nullptr, pluralOf(counts.waiting))
                     .arg(waitingSumText(counts.waiting, !sight.isWhole || counts.open > 0,
                         sight.sharesChannels && counts.atChannels > 0));
    return parts.join(QStringLiteral(" · "));
}

QString needyText(const GroupCounts &counts)
{
    return counts.needy == 0
        ? QString()
        : GroupText::tr("%1 need attention", nullptr, pluralOf(counts.needy)).arg(countText(counts.needy));
}

} // namespace lockui
