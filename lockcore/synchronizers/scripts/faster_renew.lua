-- SPDX-License-Identifier: Apache-2.0
-- Prolongs holds of values of groups; never shortens.
-- KEYS: groups. ARGV: lease, then for each group owner, how many hashes, hashes.
-- Returns a list, for each group 1 if the owner holds all of the values, else 0.
--include clock_part.lua
--include faster_part.lua
local call = redis.call
local lease, now = tonumber(ARGV[1]), serverTime()

local function renew(group, owner, first, last)
    for i = first, last do
        if call('HGET', group, ARGV[i]) ~= owner then
            return 0
        end
    end
    for i = first, last do
        local field = expiry(ARGV[i], owner)
        if fieldNumber(group, field) < now + lease then
            call('HSET', group, field, now + lease)
        end
    end
    local ttl = call('PTTL', group)
    if ttl >= 0 and ttl < lease then -- 0: its last millisecond
        call('PEXPIRE', group, lease)
    end
    return first <= last and 1 or 0
end

local renewed, at = {}, 2
for i, group in ipairs(KEYS) do
    local owner, hashes = ARGV[at], tonumber(ARGV[at + 1])
    renewed[i] = renew(group, owner, at + 2, at + 1 + hashes)
    at = at + 2 + hashes
end
return renewed
