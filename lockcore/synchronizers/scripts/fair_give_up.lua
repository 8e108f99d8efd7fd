-- SPDX-License-Identifier: Apache-2.0
-- Leaves the queue of a fair lock; those behind gain the time of the one that leaves.
-- KEYS: lock, queue, deadlines, channel without owner. ARGV: owner, wait, message, publish command.
-- Returns 1 if it stood in the queue, else 0.
local call = redis.call
local lock, queue, deadlines, channel = unpack(KEYS)
local owner, wait, message, publish = unpack(ARGV)

-- From the tail: a client that leaves with all its waiters takes the last ones first, and does not read the whole
-- queue for each.
local function behind()
    local waiters = {}
    local last = -1
    repeat
        local some = call('LRANGE', queue, last - 63, last)
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

local wasHead = call('LINDEX', queue, 0) == owner
local waiters = behind()
for _, waiter in ipairs(waiters or {}) do
    call('ZADD', deadlines, 'XX', 'INCR', -wait, waiter)
end
call('ZREM', deadlines, owner)
call('LREM', queue, 0, owner)

-- The unlock's message went to the one that leaves: the next would sleep on.
local head = call('LINDEX', queue, 0)
if wasHead and head and call('EXISTS', lock) == 0 then
    call(publish, channel .. ':' .. head, message)
end
return waiters and 1 or 0
