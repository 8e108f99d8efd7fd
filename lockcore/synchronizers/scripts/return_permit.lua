-- SPDX-License-Identifier: Apache-2.0
-- Gives back a permit of a semaphore whose permits expire, if it is held, and its lease is the one that was seen.
-- KEYS: semaphore, deadlines, channel. ARGV: last moment, publish command, the permit as bytes and as text, the deadline
-- that was seen or an empty text.
-- Returns { "done", "changed", "gone" (the semaphore), "unlike", "late", "refused" or "partly", 1 if waiters were told, {} }.
--include force_part.lua
--include permit_part.lua
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]
local publish, bytes, text, seen = unpack(ARGV, 2)

local kind = redis.call('TYPE', semaphore).ok
if kind == 'none' then
    return answer('gone', 0, {})
end
local deadlinesKind = redis.call('TYPE', deadlines).ok
if kind ~= 'string' or deadlinesKind ~= 'none' and deadlinesKind ~= 'zset' then
    return answer('unlike', 0, {})
end
local free, refusal = number(semaphore)
if refusal or math.abs(free) >= 2 ^ 53 then
    return answer('unlike', 0, {})
end
local permit, deadline = find(deadlines, bytes, text)
if not permit or seen ~= '' and math.floor(deadline) ~= tonumber(seen) then
    return answer('changed', 0, {})
end
free = free + 1
local refused = carryOut(function(call)
    if free > 0 then
        call(publish, channel, free)
    end
    call('ZREM', deadlines, permit)
    call('INCRBY', semaphore, 1)
end)
return refused or answer('done', free > 0 and 1 or 0, {})
