-- SPDX-License-Identifier: Apache-2.0
-- Gives back one hold of the write half of a read/write lock; the writer's own read holds stay.
-- KEYS: lock, channel, latch, what the timeout keys of all readers begin with. ARGV: message, lease, field of the write
-- hold, publish command, the latch's time to live, with a sixth only the holds beyond so many.
-- Returns the holds left to the writer. A list: it holds nothing, these do.
--include unlock_part.lua
--include read_part.lua
local call = redis.call
local lock, channel, latch, prefix = unpack(KEYS)
local message, lease, writer, publish, latchTtl = unpack(ARGV)
local keep = tonumber(ARGV[6])

local asItWas = nothingToDo(keep, lock, writer, latch, latchTtl)
if asItWas then
    return asItWas
end
if call('HEXISTS', lock, writer) == 0 then
    return holders(lock)
end
local left = countDown(lock, writer, lease, latch, latchTtl, keep)
if left > 0 then
    local longest = longestHold(call('HGETALL', lock), prefix) -- the writer may read too, for longer
    if longest > call('PTTL', lock) then
        call('PEXPIRE', lock, longest)
    end
    return left
end
call('HDEL', lock, writer)
if call('HLEN', lock) == 1 then
    call('DEL', lock)
else
    call('HSET', lock, 'mode', 'read')
end
call(publish, channel, message) -- also when it goes on as a reader: other readers may enter now
return 0
