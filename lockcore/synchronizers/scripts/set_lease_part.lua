-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that set a lease. A copy of a request may come late, behind its repetition, and would cut what
-- the owner holds by then: a repetition writes a latch, and what finds the latch changes nothing.
local function isRepeated(latch, latchTtl)
    if redis.call('EXISTS', latch) == 1 then
        return true
    end
    if latchTtl ~= '' then
        redis.call('SET', latch, 0, 'PX', latchTtl)
    end
    return false
end
