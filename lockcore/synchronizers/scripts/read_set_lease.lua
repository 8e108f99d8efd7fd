-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that the holds of one reader have left, also to less.
-- KEYS: lock, the owner's timeout key without index, what all timeout keys begin with, latch.
-- ARGV: lease, owner, the latch's time to live in a repetition, else empty.
-- Returns a list: 1 if the owner holds it, else 0.
--include read_part.lua
--include set_lease_part.lua
local call = redis.call
local lock, timeout, prefix, latch = unpack(KEYS)
local lease, owner, latchTtl = unpack(ARGV)

local held = tonumber(call('HGET', lock, owner) or 0)
if held == 0 then
    return { 0 }
end
if isRepeated(latch, latchTtl) then
    return { 1 }
end
for hold = firstOf(held), held do
    call('SET', timeout .. ':' .. hold, 1, 'PX', lease)
end
local longest = longestHold(redis.call('HGETALL', lock), prefix)
if call('HGET', lock, 'mode') == 'write' then
    longest = math.max(longest, call('PTTL', lock))
end
call('PEXPIRE', lock, longest)
return { 1 }
