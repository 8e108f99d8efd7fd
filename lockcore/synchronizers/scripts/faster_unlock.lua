-- SPDX-License-Identifier: Apache-2.0
-- Gives back one hold of several values of a group; of all or, when one of them is not held any more, of none.
-- KEYS: group, latch, channel. ARGV: message, lease, owner, publish command, the latch's time to live, hashes.
-- Returns the holds left to the owner. A list: it does not hold all of them, these hold the others.
--include clock_part.lua
--include faster_part.lua
local call = redis.call
local group, latch, channel = KEYS[1], KEYS[2], KEYS[3]
local message, lease, owner, publish, latchTtl = unpack(ARGV, 1, 5)
local now = serverTime()
lease = tonumber(lease)

local retry = call('EXISTS', latch) == 1
local left, lost, others = 0, #ARGV < 6, {}
for i = 6, #ARGV do
    local holder = call('HGET', group, ARGV[i])
    if holder == owner and fieldNumber(group, expiry(ARGV[i], owner)) >= now then
        left = math.max(left, fieldNumber(group, count(ARGV[i], owner)))
    else
        lost = true
        if holder and holder ~= owner and not others[holder] then
            others[holder] = true
            others[#others + 1] = holder
        end
    end
end
if retry then
    return left
end
if lost then
    return others
end

call('SET', latch, left > 1 and 0 or 1, 'PX', latchTtl) -- first: who may not write it is refused before all else
left = 0
for i = 6, #ARGV do
    local hash = ARGV[i]
    local holds = call('HINCRBY', group, count(hash, owner), -1)
    left = math.max(left, holds)
    if holds > 0 then
        local expires = math.max(fieldNumber(group, expiry(hash, owner)), now + lease)
        call('HSET', group, expiry(hash, owner), expires)
    else
        call('HDEL', group, hash, expiry(hash, owner), count(hash, owner))
    end
end
local ttl = call('PTTL', group)
if left > 0 and ttl >= 0 and ttl < lease then -- 0: its last millisecond
    call('PEXPIRE', group, lease)
end
call(publish, channel, message)
return left
