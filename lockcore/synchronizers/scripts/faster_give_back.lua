-- SPDX-License-Identifier: Apache-2.0
-- Gives back what an owner holds of some values of a group beyond the holds to keep.
-- KEYS: group, latch, channel. ARGV: message, owner, publish command, the latch's time to live, then each hash with the
-- holds to keep.
-- Returns 0.
--include faster_part.lua
local call = redis.call
local group, latch, channel = KEYS[1], KEYS[2], KEYS[3]
local message, owner, publish, latchTtl = unpack(ARGV, 1, 4)

if call('EXISTS', latch) == 1 then
    return 0
end
call('SET', latch, 0, 'PX', latchTtl) -- also if it gives nothing: a late copy of this may meet a hold of later
local given = false
for i = 5, #ARGV, 2 do
    local hash, keep = ARGV[i], tonumber(ARGV[i + 1])
    if call('HGET', group, hash) == owner and fieldNumber(group, count(hash, owner)) > keep then
        given = true
        if keep > 0 then
            call('HSET', group, count(hash, owner), keep)
        else
            call('HDEL', group, hash, expiry(hash, owner), count(hash, owner))
        end
    end
end
if given then
    call(publish, channel, message)
end
return 0
