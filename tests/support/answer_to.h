// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"

#include <QTest>
#include <memory>
#include <optional>

namespace testsupport {

constexpr int GenerousMs = 20'000;

/// Where the answer to one request arrives.
template <typename Value>
struct Answer {
    std::optional<lockcore::Result<Value>> result;

    bool isHere() const { return result.has_value(); }
    bool wait(int limitMs = GenerousMs) const
    {
        return QTest::qWaitFor([this] { return isHere(); }, limitMs);
    }
    /// One that does not come is a ReplyTimeout.
    lockcore::Result<Value> awaited() const
    {
        if (!wait())
            return lockcore::failure(lockcore::ErrorCode::ReplyTimeout, "the test waited in vain");
        return *result;
    }
};

/// Makes a call that takes a handler; its answer comes later.
template <typename Value, typename Call>
std::shared_ptr<Answer<Value>> startCall(Call call)
{
    auto answer = std::make_shared<Answer<Value>>();
    call([answer](lockcore::Result<Value> result) { answer->result = std::move(result); });
    return answer;
}

/// Makes a call that takes a handler, and waits for its answer.
template <typename Value, typename Call>
lockcore::Result<Value> answerTo(Call call)
{
    return startCall<Value>(std::move(call))->awaited();
}

} // namespace testsupport
