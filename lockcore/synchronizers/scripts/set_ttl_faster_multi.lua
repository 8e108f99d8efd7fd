-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that the values of a group have left, if their holders are those expected. A value whose time is over
-- stays so.
-- KEYS: group. ARGV: last moment, time to live, expected owners.
-- Returns { "done", "changed", "unlike", "late", "refused" or "partly", 0, owners and their counts as found }.
--include force_faster_part.lua
local group = KEYS[1]
local ttl, now = tonumber(ARGV[2]), serverTime()

local refused, owners, fields = guardGroup(group, 3)
if refused then
    return refused
end
refused = carryOut(function(call)
    call('PEXPIRE', group, ttl)
    for i = 1, #fields, 2 do
        local hash, owner = fields[i], fields[i + 1]
        if isHash(hash) and fieldNumber(group, expiry(hash, owner)) > now then
            call('HSET', group, expiry(hash, owner), now + ttl)
        end
    end
end)
return refused or answer('done', 0, owners)
