-- SPDX-License-Identifier: Apache-2.0
-- Frees a read/write lock from all its holders, if they are those expected.
-- KEYS: lock, channel, what all timeout keys begin with. ARGV: last moment, publish command, expected
-- fields.
-- Returns { "done", "changed", "anew", "unlike", "late", "refused" or "partly", 1 if waiters were told, fields and values of the hash as
-- found }.
--include force_part.lua
--include force_read_part.lua
local lock, channel, prefix = KEYS[1], KEYS[2], KEYS[3]
local publish = ARGV[2]

local refused, fields = guard(lock, 3, true)
if refused then
    return refused
end
local mode = redis.call('HGET', lock, 'mode')
refused = carryOut(function(call)
    call(publish, channel, mode == 'write' and 1 or 0)
    deleteWithHolds(call, lock, fields, prefix)
end)
return refused or answer('done', 1, fields)
