-- SPDX-License-Identifier: Apache-2.0
-- Makes a semaphore or a latch.
-- KEYS: counter, channel. ARGV: value, message, publish command, time to live (empty: none).
-- Returns 1, or 0 when it exists.
--include counter_part.lua
local call = redis.call
local counter, channel = KEYS[1], KEYS[2]
local value, message, publish, ttl = unpack(ARGV)

local existing, refusal = number(counter)
if refusal or existing then
    return refusal or 0
end
if ttl == '' then
    call('SET', counter, value)
else
    call('SET', counter, value, 'PX', ttl)
end
tell(publish, channel, message)
return 1
