-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of the write half of a read/write lock.
-- KEYS: lock. ARGV: lease, field of the write hold, holds known of (empty unless the answer to an earlier try was lost).
-- Returns nil: acquired. Otherwise how long the holder has left.
local call = redis.call
local lock, lease, writer, known = KEYS[1], tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local held = tonumber(call('HGET', lock, writer) or 0)
if held == 0 then
    if call('EXISTS', lock) == 1 then
        return call('PTTL', lock)
    end
    call('HSET', lock, 'mode', 'write')
elseif known and held > known then
    return nil
else -- the peers add the leases of a writer that enters again
    lease = lease + math.max(call('PTTL', lock), 0)
end
call('HINCRBY', lock, writer, 1)
call('PEXPIRE', lock, lease)
return nil
