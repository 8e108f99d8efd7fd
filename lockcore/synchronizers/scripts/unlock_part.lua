-- SPDX-License-Identifier: Apache-2.0
-- Included by the unlock scripts. A retry finds the latch of the first attempt, changes nothing and gets its answer.
local function holdsLeft(lock, field)
    return tonumber(redis.call('HGET', lock, field) or 0)
end

-- The answer to a stranger. The limit is for hashes that are no locks.
local function holders(lock)
    if redis.call('HLEN', lock) > 1000 then
        return {}
    end
    return redis.call('HKEYS', lock)
end
