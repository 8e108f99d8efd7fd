-- SPDX-License-Identifier: Apache-2.0
-- Gives back one hold of a fair lock, and tells the head of the queue.
-- KEYS: lock, queue, deadlines, channel without owner, latch.
-- ARGV: message, lease, owner, publish command, the latch's time to live, with a sixth only the holds beyond so many.
-- Returns the holds left to the owner. A list: it holds nothing, these do.
--include unlock_part.lua
--include clock_part.lua
--include fair_part.lua
local call = redis.call
local lock, queue, deadlines, channel, latch = unpack(KEYS)
local message, lease, owner, publish, latchTtl = unpack(ARGV)
local keep = tonumber(ARGV[6])

local asItWas = nothingToDo(keep, lock, owner, latch, latchTtl)
if asItWas then
    return asItWas
end
local head = purge(queue, deadlines, serverTime())
if call('HEXISTS', lock, owner) == 0 then
    if head and call('EXISTS', lock) == 0 then
        call(publish, channel .. ':' .. head, message)
    end
    return holders(lock)
end
local left = countDown(lock, owner, lease, latch, latchTtl, keep)
if left > 0 then
    return left
end
call('DEL', lock)
if head then
    call(publish, channel .. ':' .. head, message)
end
return 0
