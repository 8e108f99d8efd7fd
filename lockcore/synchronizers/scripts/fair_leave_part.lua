-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that take a waiter out of a fair queue.
-- Those behind the waiter; nil: it is not there. From the tail: a client that leaves with all its waiters takes the last
-- ones first, and does not read the whole queue for each.
local function behind(queue, owner)
    local waiters = {}
    local last = -1
    repeat
        local some = redis.call('LRANGE', queue, last - 63, last)
        for i = #some, 1, -1 do
            if some[i] == owner then
                return waiters
            end
            waiters[#waiters + 1] = some[i]
        end
        last = last - 64
    until #some < 64
    return nil
end

-- Those behind gain the time of the one that leaves.
local function leave(queue, deadlines, owner, waiters, wait)
    for _, waiter in ipairs(waiters) do
        redis.call('ZADD', deadlines, 'XX', 'INCR', -wait, waiter)
    end
    redis.call('ZREM', deadlines, owner)
    redis.call('LREM', queue, 0, owner)
end

-- Wakes the head of the queue of a lock that is free, and returns 1 if there is one, else 0: the unlock's message went
-- to the one that left, and the next would sleep on.
local function wakeNext(lock, queue, channel, publish, message)
    local head = redis.call('LINDEX', queue, 0)
    if not head or redis.call('EXISTS', lock) == 1 then
        return 0
    end
    redis.call(publish, channel .. ':' .. head, message)
    return 1
end
