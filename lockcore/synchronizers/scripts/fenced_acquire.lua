-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of a fenced lock, and the next token with it.
-- KEYS: lock, token. ARGV: last moment, lease, owner, holds known of (one more is counted for this try; empty: not asked).
-- Returns acquired(). Otherwise how long the holder has left.
--include last_moment_part.lua
--include acquire_part.lua
local call = redis.call
local lock, token = KEYS[1], KEYS[2]
local lease, owner, known = ARGV[2], ARGV[3], tonumber(ARGV[4])

local held = tonumber(call('HGET', lock, owner) or 0)
if held == 0 and call('EXISTS', lock) == 1 then
    return call('PTTL', lock)
end
local given
if known and held > known then -- the token of the try whose answer was lost: nobody else got one since
    given = tonumber(call('GET', token) or 0)
else
    given = call('INCR', token)
    call('HINCRBY', lock, owner, 1)
end
call('PEXPIRE', lock, lease)
return acquired(held, known, given)
