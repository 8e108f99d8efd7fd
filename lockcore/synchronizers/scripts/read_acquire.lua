-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of the read half of a read/write lock.
-- KEYS: lock, the owner's timeout key without index. ARGV: last moment, lease, owner, field of the owner's write hold,
-- holds known of (one more is counted for this try; empty: not asked).
-- Returns acquired(). Otherwise how long the holder has left.
--include last_moment_part.lua
--include acquire_part.lua
local call = redis.call
local lock, timeout = KEYS[1], KEYS[2]
local lease, owner, writer, known = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local mode = call('HGET', lock, 'mode')
if not mode and call('EXISTS', lock) == 1 then -- a lock of another kind
    return call('PTTL', lock)
end
if mode == 'write' and call('HEXISTS', lock, writer) == 0 then
    return call('PTTL', lock)
end
local held = tonumber(call('HGET', lock, owner) or 0)
local isCounted = known and held > known
-- First: who may not write it is refused before anything has changed.
call('SET', timeout .. ':' .. string.format('%.0f', isCounted and held or held + 1), 1, 'PX', lease)
if not mode then
    call('HSET', lock, 'mode', 'read')
end
if not isCounted then
    call('HINCRBY', lock, owner, 1)
end
if call('PTTL', lock) < tonumber(lease) then -- another reader's may be longer
    call('PEXPIRE', lock, lease)
end
return acquired(held, known)
