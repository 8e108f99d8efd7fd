-- SPDX-License-Identifier: Apache-2.0
-- Sets how many permits there are, those that are held included.
-- KEYS: semaphore, deadlines, channel. ARGV: permits, publish command.
-- Returns 1.
--include permit_part.lua
local call = redis.call
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]
local permits, publish = tonumber(ARGV[1]), ARGV[2]

local free, refusal = number(semaphore)
if refusal then
    return refusal
end
local held = call('ZCARD', deadlines)
local more = free and permits - held - free or permits -- a new one has them all free, as with the peers
if more ~= 0 or not free then
    free = call('INCRBY', semaphore, more)
end
if more > 0 then
    tell(publish, channel, free)
end
return 1
