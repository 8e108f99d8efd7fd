// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/sweep_walks.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr const char *End = "0";
constexpr const char *Middle = "1";

bool isInSecondHalf(const std::string &cursor) { return (cursor.back() - '0') % 2 != 0; }

} // namespace

std::optional<SweepWalks::Step> SweepWalks::ask(std::size_t walk)
{
    Walk &asked = m_walks[walk];
    if (asked.cursor.empty() || asked.isAsked || asked.isDone)
        return std::nullopt;
    asked.isAsked = true;
    return Step{ walk, asked.turn, asked.cursor };
}

std::optional<SweepWalks::Step> SweepWalks::ask()
{
    auto step = ask(0);
    return step ? step : ask(1);
}

std::optional<SweepWalks::Step> SweepWalks::askAfter(const Step &step) { return ask(step.walk); }

bool SweepWalks::awaits(const Step &step) const { return m_walks[step.walk].turn == step.turn; }

void SweepWalks::came(const Step &step, const std::string &next)
{
    Walk &walk = m_walks[step.walk];
    walk.cursor = next;
    walk.isAsked = false;
    walk.isDone = next == End || (step.walk == 0 && isInSecondHalf(next));
    if (step.walk == 1 || !m_walks[1].cursor.empty())
        return;
    m_walks[1].cursor = walk.isDone ? next : Middle;
    m_walks[1].isDone = next == End;
}

void SweepWalks::failed(const Step &step)
{
    Walk &walk = m_walks[step.walk];
    walk = Walk{ .cursor = step.cursor, .turn = walk.turn + 1, .progress = walk.progress };
}

bool SweepWalks::areDone() const
{
    return std::all_of(m_walks.begin(), m_walks.end(), [](const Walk &walk) { return walk.isDone; });
}

double SweepWalks::progress(const Step &step, double position)
{
    constexpr double Half = 0.5;
    Walk &walk = m_walks[step.walk];
    walk.progress = std::clamp(position - (step.walk == 0 ? 0 : Half), 0.0, Half);
    return m_walks[0].progress + m_walks[1].progress;
}

} // namespace lockcore
