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

-- Those behind gain the time of the one that leaves. What needs memory comes last: a server that has none refuses it
-- first alone.
local function leave(call, queue, deadlines, owner, waiters, wait)
    call('LREM', queue, 0, owner)
    call('ZREM', deadlines, owner)
    for _, waiter in ipairs(waiters) do
        call('ZADD', deadlines, 'XX', 'INCR', -wait, waiter)
    end
end
