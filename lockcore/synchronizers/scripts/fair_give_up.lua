-- SPDX-License-Identifier: Apache-2.0
-- Leaves the queue of a fair lock; those behind gain the time of the one that leaves.
-- KEYS: lock, queue, deadlines, channel without owner. ARGV: owner, wait, message, publish command.
-- Returns 1 if it stood in the queue, else 0.
local call = redis.call
local lock, queue, deadlines, channel = unpack(KEYS)
local owner, wait, message, publish = unpack(ARGV)

local wasHead = call('LINDEX', queue, 0) == owner
local found = 0
for _, waiter in ipairs(call('LRANGE', queue, 0, -1)) do
    if waiter == owner then
        found = 1
    elseif found == 1 then
        call('ZADD', deadlines, 'XX', 'INCR', -wait, waiter)
    end
end
call('ZREM', deadlines, owner)
call('LREM', queue, 0, owner)

-- The unlock's message went to the one that leaves: the next would sleep on.
local head = call('LINDEX', queue, 0)
if wasHead and head and call('EXISTS', lock) == 0 then
    call(publish, channel .. ':' .. head, message)
end
return found
