// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/shared_text.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace lockcore {

/// Makes equal texts the same one.
/// Thread: any (no shared state); its texts may be in others, which drop them when they like.
class TextPool {
public:
    SharedText shared(const SharedText &text)
    {
        const auto [place, isNew] = m_texts.insert(text);
        SharedText found = *place;
        if (isNew && m_texts.size() > m_most)
            forgetUnused();
        return found;
    }
    std::size_t size() const { return m_texts.size(); }

private:
    static constexpr std::size_t Fewest = 1'000;

    void forgetUnused()
    {
        std::erase_if(m_texts, [](const SharedText &text) { return text.isLast(); });
        m_most = std::max(Fewest, 2 * m_texts.size());
    }

    std::set<SharedText> m_texts;
    std::size_t m_most = Fewest; // with more, those that nobody has any more are looked for
};

} // namespace lockcore
