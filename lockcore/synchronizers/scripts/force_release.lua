-- SPDX-License-Identifier: Apache-2.0
-- Frees a lock that one holder has to itself (reentrant, fair, fenced), if that is the one expected. A fair queue stays.
-- KEYS: lock, channel, queue, deadlines. ARGV: now, publish command, expected fields.
-- Returns { "done", "changed" or "unlike", 1 if waiters were told, fields and values of the hash as found }.
--include force_part.lua
--include fair_part.lua
local call = redis.call
local lock, channel, queue, deadlines = unpack(KEYS)
local now, publish = ARGV[1], ARGV[2]

local refused, fields = guard(lock, 3, false)
if refused then
    return refused
end
call('DEL', lock)
call(publish, channel, 0)
local head = purge(queue, deadlines, now)
if head then
    call(publish, channel .. ':' .. head, 0)
end
return answer('done', 1, fields)
