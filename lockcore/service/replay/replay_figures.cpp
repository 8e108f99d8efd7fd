// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/replay_figures.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace monitor;

void ReplayFigures::restart()
{
    m_store = std::make_unique<StatisticsStore>();
    m_at = {};
}

/// Events are told in the order in which they were heard, which is not quite that of their times.
void ReplayFigures::heard(const Event &event, MonoTime at)
{
    m_at = std::max(m_at, at);
    m_store->heard(event, m_at);
}

std::shared_ptr<const Snapshot> ReplayFigures::in(std::shared_ptr<const Snapshot> recorded, MonoTime at)
{
    m_at = std::max(m_at, at);
    const auto counted = m_store->list(m_at);
    if (!recorded->analysis)
        return recorded;
    const bool isSame = m_shown && m_recorded == recorded->analysis && m_shown->statistics == counted;
    if (!isSame) {
        auto analysis = std::make_shared<Analysis>(*recorded->analysis);
        analysis->statistics = counted;
        m_recorded = recorded->analysis;
        m_shown = std::move(analysis);
    }
    auto shown = std::make_shared<Snapshot>(*recorded);
    shown->analysis = m_shown;
    return shown;
}

} // namespace lockcore::service
