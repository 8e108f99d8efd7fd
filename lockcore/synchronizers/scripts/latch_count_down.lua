-- SPDX-License-Identifier: Apache-2.0
-- Counts a latch down by one.
-- KEYS: latch, channel. ARGV: message, publish command.
-- Returns what is left.
--include counter_part.lua
local call = redis.call
local latch, channel = KEYS[1], KEYS[2]
local message, publish = ARGV[1], ARGV[2]

local count, refusal = number(latch)
if refusal or not count then
    return refusal or 0
end
if count > 1 then
    return call('DECR', latch)
end
call('DEL', latch)
call(publish, channel, message)
return 0
