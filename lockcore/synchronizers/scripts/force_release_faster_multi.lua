-- SPDX-License-Identifier: Apache-2.0
-- Frees a group of values from all its holders, if they are those expected.
-- KEYS: group, channel. ARGV: publish command, expected owners.
-- Returns { "done", "changed" or "unlike", 1 if waiters were told, owners and their counts as found }.
--include force_part.lua
--include faster_part.lua
local call = redis.call
local group, channel = KEYS[1], KEYS[2]

local kind = call('TYPE', group).ok
if kind ~= 'none' and (kind ~= 'hash' or call('HLEN', group) > 1000) then
    return answer('unlike', 0, {})
end
local counts, found = {}, {}
local fields = call('HGETALL', group)
for i = 1, #fields, 2 do
    local hash, owner = fields[i], fields[i + 1]
    if string.find(hash, '^[%w+/]+$') and #hash == 22 then
        if not counts[owner] then
            counts[owner] = 0
            found[#found + 1] = owner
        end
        counts[owner] = math.max(counts[owner], fieldNumber(group, count(hash, owner)))
    end
end
local holders, missing = {}, #ARGV - 1
for _, owner in ipairs(found) do
    holders[#holders + 1] = owner
    holders[#holders + 1] = tostring(counts[owner])
    for i = 2, #ARGV do
        missing = missing - (ARGV[i] == owner and 1 or 0)
    end
end
if missing ~= 0 or #found ~= #ARGV - 1 then
    return answer('changed', 0, holders)
end
call('DEL', group)
call(ARGV[1], channel, 0)
return answer('done', 1, holders)
