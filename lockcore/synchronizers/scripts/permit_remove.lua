-- SPDX-License-Identifier: Apache-2.0
-- Removes a semaphore whose permits expire.
-- KEYS: semaphore, deadlines. Returns 1, or 0 when there was none.
--include counter_part.lua
local semaphore, deadlines = KEYS[1], KEYS[2]

local _, refusal = number(semaphore)
if refusal then
    return refusal
end
redis.call('ZCARD', deadlines) -- refuses what is something else
return redis.call('DEL', semaphore, deadlines) > 0 and 1 or 0
