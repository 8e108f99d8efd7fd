-- SPDX-License-Identifier: Apache-2.0
-- Takes all holds of some readers from a read/write lock, if each of them has some; others keep theirs.
-- KEYS: lock, channel, what all timeout keys begin with. ARGV: last moment, publish command, fields of
-- the readers.
-- Returns { "done", "changed", "unlike", "late", "refused" or "partly", 1 if waiters were told, fields and values of the hash as
-- found }.
--include force_part.lua
--include force_read_part.lua
local lock, channel, prefix = KEYS[1], KEYS[2], KEYS[3]

local refused, fields = look(lock)
if refused then
    return refused
end
local wanted = {}
for i = 3, #ARGV do
    wanted[ARGV[i]] = true
end
local mode, taken, left = nil, {}, {}
for i = 1, #fields, 2 do
    local field, value = fields[i], fields[i + 1]
    if field == 'mode' then
        mode = value
    else
        local side = wanted[field] and taken or left
        side[#side + 1], side[#side + 2] = field, value
    end
end
if not mode or #taken ~= 2 * (#ARGV - 2) then
    return answer('changed', 0, fields)
end

if #left == 0 then
    refused = carryOut(function(call)
        call(ARGV[2], channel, 0)
        deleteWithHolds(call, lock, taken, prefix)
    end)
    return refused or answer('done', 1, fields)
end
local longest = mode == 'read' and longestHold(left, prefix) or 0
refused = carryOut(function(call)
    call('HDEL', lock, unpack(ARGV, 3))
    deleteWithHolds(call, nil, taken, prefix)
    if longest > 0 then -- none: nobody's time is to be cut short by this
        call('PEXPIRE', lock, longest)
    end
end)
return refused or answer('done', 0, fields)
