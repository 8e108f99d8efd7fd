-- SPDX-License-Identifier: Apache-2.0
-- Gives back a permit of a semaphore whose permits expire, if it is held.
-- KEYS: semaphore, deadlines, channel. ARGV: publish command, the permit as bytes and as text.
-- Returns { "done", "changed" or "unlike", 1 if waiters were told, {} }.
--include force_part.lua
--include permit_part.lua
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]
local publish, bytes, text = unpack(ARGV)

local kind = redis.call('TYPE', deadlines).ok
if kind ~= 'none' and kind ~= 'zset' or redis.call('TYPE', semaphore).ok ~= 'string' then
    return answer('unlike', 0, {})
end
local _, refusal = number(semaphore)
if refusal then
    return answer('unlike', 0, {})
end
local permit = find(deadlines, bytes, text)
if not permit then
    return answer('changed', 0, {})
end
redis.call('ZREM', deadlines, permit)
local free = redis.call('INCRBY', semaphore, 1)
tell(publish, channel, free)
return answer('done', free > 0 and 1 or 0, {})
