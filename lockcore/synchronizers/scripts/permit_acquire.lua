-- SPDX-License-Identifier: Apache-2.0
-- Takes permits under ids. The same ids again are the same permits.
-- KEYS: semaphore, deadlines, channel. ARGV: last moment, lease (empty: none), deadline of those without
-- lease, publish command, ids.
-- Returns nil: acquired. Otherwise how long the permit that runs out next has left; -1: none runs out.
--include last_moment_part.lua
--include permit_part.lua
local call = redis.call
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]
local lease, never, publish = unpack(ARGV, 2, 4)
local now = serverTime()
local deadline = lease == '' and never or now + lease

local _, refusal = number(semaphore)
if refusal then
    return refusal
end
local reclaimed = reclaim(semaphore, deadlines, now, #ARGV - 4)
local missing = 0
for i = 5, #ARGV do
    if not call('ZSCORE', deadlines, ARGV[i]) then
        missing = missing + 1
    end
end

local free = number(semaphore) or 0
local got = missing == 0 or free >= missing
if got then
    for i = 5, #ARGV do
        call('ZADD', deadlines, deadline, ARGV[i])
    end
    if missing > 0 then
        free = call('DECRBY', semaphore, missing)
    end
    local ttl = call('PTTL', semaphore)
    if ttl > 0 then
        call('PEXPIRE', deadlines, ttl)
    end
end
if reclaimed > 0 then -- what others may take
    tell(publish, channel, free)
end
if got then
    return nil
end

local first = call('ZRANGE', deadlines, 0, 0, 'WITHSCORES')
if not first[2] or tonumber(first[2]) >= tonumber(never) then
    return -1
end
return math.max(0, first[2] - now)
