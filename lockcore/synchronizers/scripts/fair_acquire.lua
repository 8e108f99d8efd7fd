-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of a fair lock, or lines up for it.
-- KEYS: lock, queue, deadlines. ARGV: last moment, lease, owner, wait, "queue" to line up or "try",
-- holds known of (one more is counted for this try; empty: not asked), "once" if the holder must not take it again.
-- Returns acquired(). Otherwise { how long to wait before asking again, how long the holder has left }, of a free lock with
-- { who stands at the head instead, its deadline (empty: none) } behind, or the status ALREADYHELD.
--include last_moment_part.lua
--include fair_part.lua
--include acquire_part.lua
local call = redis.call
local lock, queue, deadlines = KEYS[1], KEYS[2], KEYS[3]
local lease, owner, wait, form, known = ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local once, now = ARGV[7] == 'once', serverTime()

local head = purge(queue, deadlines, now)
local held = tonumber(call('HGET', lock, owner) or 0)
local free = call('EXISTS', lock) == 0

if once and held > 0 and not (known and held > known) then
    return redis.status_reply('ALREADYHELD')
end
if held > 0 or (free and (not head or head == owner)) then
    if held == 0 then
        call('LPOP', queue)
        call('ZREM', deadlines, owner)
        for _, waiter in ipairs(call('ZRANGE', deadlines, 0, -1)) do
            call('ZINCRBY', deadlines, -wait, waiter)
        end
    end
    if not (known and held > known) then
        call('HINCRBY', lock, owner, 1)
    end
    call('PEXPIRE', lock, lease)
    return acquired(held, known)
end

local left = call('PTTL', lock)
local own = form == 'queue' and tonumber(call('ZSCORE', deadlines, owner))
if form == 'queue' and not own then
    local tail = call('LINDEX', queue, -1)
    local after = tail and call('ZSCORE', deadlines, tail) or now + left
    own = tonumber(after) + wait
    call('ZADD', deadlines, own, owner)
    call('LREM', queue, 0, owner)
    call('RPUSH', queue, owner)
end
if own and own <= now then -- not the head yet: whoever asks is alive, and keeps its place
    own = now + math.max(left, 0) + wait
    call('ZADD', deadlines, own, owner)
end

-- A dead head gets the messages that would wake the others: they have to look again when its time is over.
local pause = free and -1 or left
local ahead = head and head ~= owner and head
local deadline = ahead and call('ZSCORE', deadlines, ahead)
if deadline and (pause < 0 or deadline - now < pause) then
    pause = deadline - now
end
-- Whoever is thrown out for its own deadline is not told, and has to line up again.
if own and (pause < 0 or own - now < pause) then
    pause = own - now
end
if free and ahead then
    return { pause, 0, { ahead, deadline or '' } }
end
return { pause, free and 0 or left }
