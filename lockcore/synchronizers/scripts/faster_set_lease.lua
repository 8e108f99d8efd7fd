-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that an owner's hold of values of a group has left, also to less.
-- KEYS: group, latch. ARGV: lease, owner, the latch's time to live in a repetition, else empty, hashes.
-- Returns a list: 1 if the owner holds all of the values, else 0.
--include clock_part.lua
--include faster_part.lua
--include set_lease_part.lua
local call = redis.call
local group, latch = KEYS[1], KEYS[2]
local owner, latchTtl, now = ARGV[2], ARGV[3], serverTime()
local expires = now + ARGV[1]

for i = 4, #ARGV do
    if call('HGET', group, ARGV[i]) ~= owner then
        return { 0 }
    end
end
if isRepeated(latch, latchTtl) then
    return { #ARGV > 3 and 1 or 0 }
end
for i = 4, #ARGV do
    call('HSET', group, expiry(ARGV[i], owner), expires)
end
local longest = expires -- the key is all holders'
local fields = call('HGETALL', group)
for i = 1, #fields, 2 do
    if string.find(fields[i], ':expire_time$') then
        longest = math.max(longest, tonumber(fields[i + 1]) or 0)
    end
end
call('PEXPIRE', group, longest - now)
return { #ARGV > 3 and 1 or 0 }
