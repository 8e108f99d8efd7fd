-- SPDX-License-Identifier: Apache-2.0
-- Takes a lock of the kind that other libraries write: SET NX PX.
-- KEYS: lock. ARGV: last moment, lease, token, holds known of (none: what has the token already was taken by a try whose
-- answer was lost; empty: not asked).
-- Returns acquired(). Otherwise how long the holder has left, or the status ALREADYHELD.
--include last_moment_part.lua
--include acquire_part.lua
--include token_part.lua
local call = redis.call
local lock, lease, token, known = KEYS[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local held = isHeldWith(lock, token) and 1 or 0
if held == 1 then
    if known ~= 0 then
        return redis.status_reply('ALREADYHELD')
    end
    call('PEXPIRE', lock, lease)
elseif not call('SET', lock, token, 'NX', 'PX', lease) then
    return call('PTTL', lock)
end
return acquired(held, known)
