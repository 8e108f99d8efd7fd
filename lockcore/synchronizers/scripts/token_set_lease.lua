-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that a lock with this token has left, also to less.
-- KEYS: lock, latch. ARGV: lease, token, the latch's time to live in a repetition, else empty.
-- Returns a list: 1 if it has the token, else 0.
--include set_lease_part.lua
--include token_part.lua
local lock, latch = KEYS[1], KEYS[2]
local lease, token, latchTtl = unpack(ARGV)

local held = isHeldWith(lock, token)
if held and not isRepeated(latch, latchTtl) then
    redis.call('PEXPIRE', lock, lease)
end
return { held and 1 or 0 }
