-- SPDX-License-Identifier: Apache-2.0
-- Gives permits back.
-- KEYS: semaphore, channel. ARGV: how many, publish command, "existing" to make none.
-- Returns 1, or 0 when there is none and none is to be made.
--include counter_part.lua
local semaphore, channel = KEYS[1], KEYS[2]
local permits, publish, form = unpack(ARGV)

local free, refusal = number(semaphore)
if refusal then
    return refusal
end
if form == 'existing' and not free then
    return 0
end
tell(publish, channel, redis.call('INCRBY', semaphore, permits))
return 1
