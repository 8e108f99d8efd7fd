// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/lock_user.h"

namespace testsupport {

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
    const auto answer = startCall<Value>(std::move(call));
    if (!answer->wait())
        return lockcore::failure(lockcore::ErrorCode::ReplyTimeout, "the test waited in vain");
    return *answer->result;
}

} // namespace testsupport
