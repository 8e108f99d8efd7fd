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

-- Takes one hold off; what remains gets the lease anew. The latch tells a retry. It comes first: a user who may not
-- write it is refused before anything has changed. Returns the holds left.
local function countDown(lock, field, lease, latch, latchTtl)
    redis.call('SET', latch, holdsLeft(lock, field) > 1 and 0 or 1, 'PX', latchTtl)
    local left = redis.call('HINCRBY', lock, field, -1)
    if left > 0 then
        redis.call('PEXPIRE', lock, lease)
    end
    return left
end
