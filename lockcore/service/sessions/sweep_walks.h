// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace lockcore {

/// Where two walks over all keys are, side by side: while we deal with a page of one, the server is at a page of the
/// other. SCAN counts its cursor from the highest bit down: the even ones come first, and "1" is the middle. Nodes of a
/// cluster since Redis 7.4 go slot by slot, from "0" to "1" and on: there the second walk has nearly all.
class SweepWalks {
public:
    /// A page to ask for.
    struct Step {
        std::size_t walk = 0;
        int turn = 0;
        std::string cursor;
    };

    std::optional<Step> ask(); // of any walk that waits for none
    std::optional<Step> askAfter(const Step &step); // of the same walk
    bool awaits(const Step &step) const; // false: it was given up
    void came(const Step &step, const std::string &next);
    void failed(const Step &step); // it is to be asked for again, and what came after it is given up

    bool areDone() const;
    double progress(const Step &step, double position); // of both, 0…1, when the page ended there

private:
    struct Walk {
        std::string cursor;
        bool isAsked = false;
        bool isDone = false;
        int turn = 0;
        double progress = 0;
    };

    std::optional<Step> ask(std::size_t walk);

    std::array<Walk, 2> m_walks{ Walk{ .cursor = "0" }, Walk{} }; // the second begins if one page is not all
};

} // namespace lockcore
