-- SPDX-License-Identifier: Apache-2.0
-- Removes a semaphore or a latch.
-- KEYS: counter, channel or nothing. ARGV: message, publish command.
-- Returns 1, or 0 when there was none.
--include counter_part.lua
local counter, channel = KEYS[1], KEYS[2]
local message, publish = ARGV[1], ARGV[2]

local _, refusal = number(counter)
if refusal then
    return refusal
end
local removed = redis.call('DEL', counter)
if removed == 1 and channel then
    redis.call(publish, channel, message)
end
return removed
