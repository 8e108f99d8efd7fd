-- SPDX-License-Identifier: Apache-2.0
-- Gives back one hold of a lock that has one holder: reentrant, fenced, spin and non-reentrant locks.
-- KEYS: lock, latch, channel (none for a spin lock: nobody is told). ARGV: message, lease, owner, publish command, the latch's time to
-- live, with a sixth only the holds beyond so many.
-- Returns the holds left to the owner. A list: it holds nothing, these do.
--include unlock_part.lua
local call = redis.call
local lock, latch, channel = KEYS[1], KEYS[2], KEYS[3]
local message, lease, owner, publish, latchTtl = unpack(ARGV)
local keep = tonumber(ARGV[6])

local asItWas = nothingToDo(keep, lock, owner, latch, latchTtl)
if asItWas then
    return asItWas
end
if call('HEXISTS', lock, owner) == 0 then
    return holders(lock)
end
local left = countDown(lock, owner, lease, latch, latchTtl, keep)
if left > 0 then
    return left
end
call('DEL', lock)
if channel then
    call(publish, channel, message)
end
return 0
