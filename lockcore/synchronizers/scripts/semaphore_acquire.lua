-- SPDX-License-Identifier: Apache-2.0
-- Takes permits.
-- KEYS: semaphore. ARGV: last moment, how many.
-- Returns nil: acquired. Otherwise -1: nobody knows when there will be enough.
--include last_moment_part.lua
--include counter_part.lua
local semaphore, wanted = KEYS[1], ARGV[2]

local free, refusal = number(semaphore)
if refusal then
    return refusal
end
if not free or free < tonumber(wanted) then
    return -1
end
redis.call('DECRBY', semaphore, wanted)
return nil
