-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that a lock held by one field has left, also to less: reentrant, fair and write locks.
-- KEYS: lock, latch. ARGV: lease, field, the latch's time to live in a repetition, else empty.
-- Returns a list: 1 if the field is there, else 0.
--include set_lease_part.lua
local call = redis.call
local lock, latch = KEYS[1], KEYS[2]
local lease, field, latchTtl = unpack(ARGV)

local held = call('HEXISTS', lock, field)
if held == 1 and not isRepeated(latch, latchTtl) then
    call('PEXPIRE', lock, lease)
end
return { held }
