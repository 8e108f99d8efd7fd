-- SPDX-License-Identifier: Apache-2.0
-- Leaves the queue of a fair lock; those behind gain the time of the one that leaves.
-- KEYS: lock, queue, deadlines, channel without owner, latch. ARGV: owner, wait, message, publish command, and where an
-- earlier copy of this may still come the latch's time to live: the owner may stand there again by then.
-- Returns 1 if it stood in the queue, else 0.
--include fair_leave_part.lua
local call = redis.call
local lock, queue, deadlines, channel, latch = unpack(KEYS)
local owner, wait, message, publish, latchTtl = unpack(ARGV)

if call('EXISTS', latch) == 1 then
    return 0
end
local wasHead = call('LINDEX', queue, 0) == owner
local waiters = behind(queue, owner)
leave(call, queue, deadlines, owner, waiters or {}, wait)
-- The unlock's message went to the one that left, and the next would sleep on.
local head = wasHead and call('LINDEX', queue, 0)
if head and call('EXISTS', lock) == 0 then
    call(publish, channel .. ':' .. head, message)
end
if latchTtl ~= '' then
    redis.pcall('SET', latch, 0, 'PX', latchTtl) -- the queue is left also by who may not write it
end
return waiters and 1 or 0
