-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that a lock which one holder has to itself has left, if that is the one expected.
-- KEYS: lock. ARGV: last moment, time to live, expected fields.
-- Returns { "done", "changed", "anew", "unlike", "late", "refused" or "partly", 0, fields and values of the hash as found }.
--include force_part.lua
local refused, fields = guard(KEYS[1], 3, false)
if refused then
    return refused
end
refused = carryOut(function(call)
    call('PEXPIRE', KEYS[1], ARGV[2])
end)
return refused or answer('done', 0, fields)
