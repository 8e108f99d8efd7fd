-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that a read/write lock and all its read holds have left, if its holders are those expected. A hold that
-- has run out stays so.
-- KEYS: lock, what all timeout keys begin with. ARGV: last moment, time to live, expected fields.
-- Returns { "done", "changed", "anew", "unlike", "late", "refused" or "partly", 0, fields and values of the hash as found }.
--include force_part.lua
--include read_part.lua
local lock, prefix = KEYS[1], KEYS[2]
local ttl = ARGV[2]

local refused, fields = guard(lock, 3, true)
if refused then
    return refused
end
refused = carryOut(function(call)
    call('PEXPIRE', lock, ttl)
    for i = 1, #fields, 2 do -- the mode is no number, and write holds have no timeout keys
        local holds = tonumber(fields[i + 1]) or 0
        for hold = firstOf(holds), holds do
            call('PEXPIRE', prefix .. fields[i] .. ':rwlock_timeout:' .. hold, ttl)
        end
    end
end)
return refused or answer('done', 0, fields)
