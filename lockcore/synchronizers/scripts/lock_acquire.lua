-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of a lock that has one holder: reentrant, spin and non-reentrant locks.
-- KEYS: lock. ARGV: last moment, lease, owner, holds known of (one more is counted for this try; empty: not asked),
-- "once" if the holder must not take it again.
-- Returns acquired(). Otherwise how long the holder has left, or the status ALREADYHELD.
--include last_moment_part.lua
--include acquire_part.lua
local call = redis.call
local lock, lease, owner, known, once = KEYS[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5] == 'once'

local held = tonumber(call('HGET', lock, owner) or 0)
if held == 0 and call('EXISTS', lock) == 1 then
    return call('PTTL', lock)
end
if not (known and held > known) then
    if once and held > 0 then
        return redis.status_reply('ALREADYHELD')
    end
    call('HINCRBY', lock, owner, 1)
end
call('PEXPIRE', lock, lease)
return acquired(held, known)
