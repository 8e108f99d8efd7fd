-- SPDX-License-Identifier: Apache-2.0
-- Sets how many permits there are, those that are held included.
-- KEYS: semaphore, deadlines, channel. ARGV: permits, publish command.
-- Returns 1.
--include permit_part.lua
local call = redis.call
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]

local free, refusal = number(semaphore)
if refusal then
    return refusal
end
local more = ARGV[1] - call('ZCARD', deadlines) - (free or 0)
if more ~= 0 or not free then
    local now = call('INCRBY', semaphore, more)
    if more > 0 then
        tell(ARGV[2], channel, now)
    end
end
return 1
