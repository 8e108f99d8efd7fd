-- SPDX-License-Identifier: Apache-2.0
-- Frees a read/write lock from all its holders, if they are those expected.
-- KEYS: lock, channel, what all timeout keys begin with. ARGV: publish command, expected fields.
-- Returns { "done", "changed" or "unlike", 1 if waiters were told, fields and values of the hash as found }.
--include force_part.lua
local call = redis.call
local lock, channel, prefix = KEYS[1], KEYS[2], KEYS[3]
local publish = ARGV[1]

local refused, fields = guard(lock, 2, true)
if refused then
    return refused
end
local mode = call('HGET', lock, 'mode')
call('DEL', lock)
for i = 1, #fields, 2 do -- the limit is for counts that nobody has
    for hold = 1, math.min(tonumber(fields[i + 1]) or 0, 1000) do
        call('DEL', prefix .. fields[i] .. ':rwlock_timeout:' .. hold)
    end
end
call(publish, channel, mode == 'write' and 1 or 0)
return answer('done', 1, fields)
