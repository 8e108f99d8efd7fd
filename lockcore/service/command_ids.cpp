// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/command_ids.h"

#include <atomic>

namespace lockcore {

CommandId nextCommandId()
{
    static std::atomic<unsigned long long> last{ 0 };
    return CommandId{ ++last };
}

} // namespace lockcore
