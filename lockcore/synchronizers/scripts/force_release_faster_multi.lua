-- SPDX-License-Identifier: Apache-2.0
-- Frees a group of values from all its holders, if they are those expected.
-- KEYS: group, channel. ARGV: last moment, publish command, expected owners.
-- Returns { "done", "changed", "unlike", "late", "refused" or "partly", 1 if waiters were told, owners and their counts as found }.
--include force_faster_part.lua
local group, channel = KEYS[1], KEYS[2]

local refused, owners = guardGroup(group, 3)
if refused then
    return refused
end
refused = carryOut(function(call)
    call(ARGV[2], channel, 0)
    call('DEL', group)
end)
return refused or answer('done', 1, owners)
