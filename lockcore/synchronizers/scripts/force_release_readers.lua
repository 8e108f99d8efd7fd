-- SPDX-License-Identifier: Apache-2.0
-- Takes all holds of some readers from a read/write lock, if each of them has some; others keep theirs.
-- KEYS: lock, channel, what all timeout keys begin with. ARGV: publish command, fields of the readers.
-- Returns { "done", "changed" or "unlike", 1 if waiters were told, fields and values of the hash as found }.
--include force_part.lua
--include read_part.lua
local call = redis.call
local lock, channel, prefix = KEYS[1], KEYS[2], KEYS[3]

local refused, fields = look(lock)
if refused then
    return refused
end
local held = {}
for i = 1, #fields, 2 do
    held[fields[i]] = fields[i + 1]
end
for i = 2, #ARGV do
    if not held['mode'] or not held[ARGV[i]] then
        return answer('changed', 0, fields)
    end
end
for i = 2, #ARGV do
    call('HDEL', lock, ARGV[i])
    local holds = tonumber(held[ARGV[i]]) or 0
    for hold = firstOf(holds), holds do
        call('DEL', prefix .. ARGV[i] .. ':rwlock_timeout:' .. hold)
    end
end
if call('HLEN', lock) > 1 then
    local longest = longestHold(lock, prefix)
    if held['mode'] == 'read' and longest > 0 then -- none: nobody's time is to be cut short by this
        call('PEXPIRE', lock, longest)
    end
    return answer('done', 0, fields)
end
call('DEL', lock)
call(ARGV[1], channel, 0)
return answer('done', 1, fields)
