-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of semaphores whose permits expire.
--include counter_part.lua
-- Takes back permits whose time is over, the longest overdue first: no more than "most", nor than a server may be kept
-- busy with; the next call takes the rest. Returns how many.
local function reclaim(semaphore, deadlines, now, most)
    local call = redis.call
    local taken = 0
    most = math.min(most, 10000)
    while taken < most do
        local permits = call('ZRANGEBYSCORE', deadlines, 0, now, 'LIMIT', 0, math.min(most - taken, 1000))
        if #permits == 0 then
            break
        end
        call('ZREM', deadlines, unpack(permits))
        taken = taken + #permits
    end
    if taken > 0 then
        call('INCRBY', semaphore, taken)
    end
    return taken
end

-- A permit as it stands in Redis: its 16 bytes, or text when a client before 3.17 took it. Nil when it is not there.
-- Its deadline besides.
local function find(deadlines, bytes, text)
    for _, permit in ipairs({ bytes, text }) do
        local deadline = redis.call('ZSCORE', deadlines, permit)
        if deadline then
            return permit, tonumber(deadline)
        end
    end
    return nil
end
