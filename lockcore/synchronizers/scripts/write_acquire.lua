-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of the write half of a read/write lock.
-- KEYS: lock. ARGV: last moment, lease, field of the write hold, holds known of (one more is counted for this try; empty:
-- not asked).
-- Returns acquired(). Otherwise how long the holder has left.
--include last_moment_part.lua
--include acquire_part.lua
local call = redis.call
local lock, lease, writer, known = KEYS[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])

local held = tonumber(call('HGET', lock, writer) or 0)
if held == 0 then
    if call('EXISTS', lock) == 1 then
        return call('PTTL', lock)
    end
    call('HSET', lock, 'mode', 'write')
end
local left = math.max(call('PTTL', lock), 0)
if known and held > known then -- the lease of that try is among what is left
    lease = math.max(lease, left)
else -- the peers add the leases of a writer that enters again
    lease = held > 0 and lease + left or lease
    call('HINCRBY', lock, writer, 1)
end
call('PEXPIRE', lock, lease)
return acquired(held, known)
