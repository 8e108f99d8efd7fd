-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of a reentrant lock.
-- KEYS: lock. ARGV: lease, owner, holds known of (empty unless the answer to an earlier try was lost).
-- Returns nil: acquired. Otherwise how long the holder has left.
local call = redis.call
local lock, lease, owner, known = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])

local held = tonumber(call('HGET', lock, owner) or 0)
if held == 0 and call('EXISTS', lock) == 1 then
    return call('PTTL', lock)
end
if not (known and held > known) then
    call('HINCRBY', lock, owner, 1)
end
call('PEXPIRE', lock, lease)
return nil
