-- SPDX-License-Identifier: Apache-2.0
-- Frees a lock that one holder has to itself (reentrant, fair, fenced), if that is the one expected. A fair queue stays.
-- KEYS: lock, channel, queue, deadlines. ARGV: last moment, publish command, how many others to tell, these,
-- expected fields.
-- Returns { "done", "changed", "anew", "unlike", "late", "refused" or "partly", 1 if waiters were told, fields and values of the hash as
-- found }.
--include force_part.lua
local lock, channel, queue, deadlines = unpack(KEYS)
local publish, listeners = ARGV[2], tonumber(ARGV[3])

-- How many waiters at the head of the queue have had their time, and who is head without them. A key of another type is
-- none of ours, whatever its name.
local function overdueWaiters()
    local overdue, now = {}, serverTime()
    if redis.call('TYPE', queue).ok ~= 'list' then
        return overdue, nil
    end
    local scored = redis.call('TYPE', deadlines).ok == 'zset'
    repeat
        local some = redis.call('LRANGE', queue, #overdue, #overdue + 63)
        for _, waiter in ipairs(some) do
            local deadline = scored and redis.call('ZSCORE', deadlines, waiter)
            if not deadline or tonumber(deadline) > now then
                return overdue, waiter
            end
            overdue[#overdue + 1] = waiter
        end
    until #some < 64
    return overdue, nil
end

local refused, fields = guard(lock, 4 + listeners, false)
if refused then
    return refused
end
local overdue, head = overdueWaiters()
refused = carryOut(function(call)
    call(publish, channel, 0)
    if head then
        call(publish, channel .. ':' .. head, 0)
    end
    for i = 4, 3 + listeners do
        call(publish, channel .. ':' .. ARGV[i], 0)
    end
    for _, waiter in ipairs(overdue) do
        call('ZREM', deadlines, waiter)
        call('LPOP', queue)
    end
    call('DEL', lock)
end)
return refused or answer('done', 1, fields)
