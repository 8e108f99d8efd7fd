// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/client/deadlines.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace lockcore {

/// Tries whose connection broke before the answer came. Whoever passes them on may deliver a copy until its last
/// moment: what was put right on the server before that is put right once more after it.
class LateCopies {
public:
    explicit LateCopies(ClientCore &core);

    /// From now on a copy may come. `place`: where it does something; one of several that may come there is enough.
    void expect(const std::string &place, std::function<void()> putRight);
    void clear();
    bool isEmpty() const { return m_expected.empty(); }

private:
    struct Expected {
        std::string place;
        std::function<void()> putRight;
    };
    void over(std::uint64_t id);

    ClientCore &m_core;
    Deadlines m_deadlines;
    std::map<std::uint64_t, Expected> m_expected;
    std::map<std::string, std::uint64_t> m_ids; // by place
    std::uint64_t m_lastId = 0;
};

} // namespace lockcore
