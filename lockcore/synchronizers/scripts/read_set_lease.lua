-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that the holds of one reader have left, also to less.
-- KEYS: lock, the owner's timeout key without index, what all timeout keys begin with. ARGV: lease, owner.
-- Returns a list: 1 if the owner holds it, else 0.
--include read_part.lua
local call = redis.call
local lock, timeout, prefix = KEYS[1], KEYS[2], KEYS[3]
local lease, owner = ARGV[1], ARGV[2]

local held = tonumber(call('HGET', lock, owner) or 0)
if held == 0 then
    return { 0 }
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
