-- SPDX-License-Identifier: Apache-2.0
-- Changes how many permits there are, by more or by less than nothing.
-- KEYS: semaphore, channel. ARGV: permits, publish command.
-- Returns 1.
--include counter_part.lua
local semaphore, channel = KEYS[1], KEYS[2]
local permits, publish = ARGV[1], ARGV[2]

local _, refusal = number(semaphore)
if refusal then
    return refusal
end
local free = redis.call('INCRBY', semaphore, permits)
redis.call('PERSIST', semaphore) -- as with the peers, who write the sum without a time to live
if tonumber(permits) > 0 then
    tell(publish, channel, free)
end
return 1
