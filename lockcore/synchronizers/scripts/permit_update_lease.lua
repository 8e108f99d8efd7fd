-- SPDX-License-Identifier: Apache-2.0
-- Gives a permit another deadline.
-- KEYS: semaphore, deadlines, channel. ARGV: lease (empty: none), deadline of those without lease, publish
-- command, the permit as bytes and as text.
-- Returns 1, or 0 when it is not held any more.
--include clock_part.lua
--include permit_part.lua
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]
local lease, never, publish, bytes, text = unpack(ARGV)
local now = serverTime()

local _, refusal = number(semaphore)
if refusal then
    return refusal
end
if reclaim(semaphore, deadlines, now, math.huge) > 0 then
    tell(publish, channel, redis.call('GET', semaphore))
end
local permit, old = find(deadlines, bytes, text)
if not permit or old <= now then -- not all that have run out are taken back at once
    return 0
end
redis.call('ZADD', deadlines, lease == '' and never or now + lease, permit)
return 1
