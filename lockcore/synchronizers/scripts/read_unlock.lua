-- SPDX-License-Identifier: Apache-2.0
-- Gives back one hold of the read half of a read/write lock.
-- KEYS: lock, channel, the owner's timeout key without index, what all timeout keys begin with, latch.
-- ARGV: message, owner, publish command, the latch's time to live, with a fifth only the holds beyond so many.
-- Returns the holds left to the owner. A list: it holds nothing, these do.
--include unlock_part.lua
--include read_part.lua
local call = redis.call
local lock, channel, timeout, prefix, latch = unpack(KEYS)
local message, owner, publish, latchTtl = unpack(ARGV)
local keep = tonumber(ARGV[5])

local asItWas = nothingToDo(keep, lock, owner, latch, latchTtl)
if asItWas then
    return asItWas
end
local mode = call('HGET', lock, 'mode')
if not mode or call('HEXISTS', lock, owner) == 0 then
    return holders(lock)
end
call('SET', latch, 0, 'PX', latchTtl) -- first: who may not write it is refused before anything has changed
local left = call('HINCRBY', lock, owner, -1)
if left <= 0 then
    call('HDEL', lock, owner)
end
local givenBack, stays = timeout .. ':' .. (left + 1), timeout .. ':' .. left
local lasts = call('PTTL', givenBack)
-- Whichever hold is beyond those to keep: what stays lasts as long as any of them was asked for.
if keep and left > 0 and lasts > call('PTTL', stays) then
    call('SET', stays, 1, 'PX', lasts)
end
call('DEL', givenBack)

local longest = longestHold(redis.call('HGETALL', lock), prefix)
if mode == 'write' then -- by the same owner; Redisson cuts the lease of its write hold down to that of its read holds
    longest = math.max(longest, call('PTTL', lock))
end
if longest > 0 or mode == 'write' then
    if longest > 0 then
        call('PEXPIRE', lock, longest)
    end
    return left
end
call('DEL', lock)
call(publish, channel, message)
call('SET', latch, 1, 'PX', latchTtl)
return 0
