-- SPDX-License-Identifier: Apache-2.0
-- Included by the unlock scripts. A retry finds the latch of the first attempt, changes nothing and gets its answer.
--include element_limits.lua
local function holdsLeft(lock, field)
    return tonumber(redis.call('HGET', lock, field) or 0)
end

-- The answer where nothing is to be done; nil: something is. That is so for a retry, and for what gives back only the holds
-- beyond those to keep where there are none: a late copy of it may meet a hold of later, so that the latch is set all the
-- same.
local function nothingToDo(keep, lock, field, latch, latchTtl)
    if redis.call('EXISTS', latch) == 1 then
        return holdsLeft(lock, field)
    end
    local held = keep and holdsLeft(lock, field)
    if not keep or held > keep then
        return nil
    end
    redis.call('SET', latch, 0, 'PX', latchTtl)
    return held
end

-- The answer to a stranger. The limit is for hashes that are no locks.
local function holders(lock)
    local count = redis.call('HLEN', lock)
    local fields = count <= 1000 and isSmall(lock, count) and redis.call('HKEYS', lock)
    return fields and areShort(fields) and fields or {}
end

-- Takes one hold off; what remains gets the lease anew, or with "keep", never less than it. The latch tells a retry. It
-- comes first: a user who may not write it is refused before anything has changed. Returns the holds left.
local function countDown(lock, field, lease, latch, latchTtl, keep)
    redis.call('SET', latch, holdsLeft(lock, field) > 1 and 0 or 1, 'PX', latchTtl)
    local left = redis.call('HINCRBY', lock, field, -1)
    if left > 0 and not (keep and redis.call('PTTL', lock) > tonumber(lease)) then
        redis.call('PEXPIRE', lock, lease)
    end
    return left
end
