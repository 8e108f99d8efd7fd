-- SPDX-License-Identifier: Apache-2.0
-- Takes all permits that are free; a number below zero is set to zero too.
-- KEYS: semaphore. Returns how many there were.
--include counter_part.lua
local free, refusal = number(KEYS[1])
if refusal or not free then
    return refusal or 0
end
redis.call('SET', KEYS[1], 0)
return free
