-- SPDX-License-Identifier: Apache-2.0
-- Takes a waiter out of a fair queue, as if it had given up, if it stands there.
-- KEYS: lock, queue, deadlines, channel without owner. ARGV: last moment, owner, publish command, how many were seen ahead
-- of it, its deadline then (nothing: none) and "ghost" if nobody listened on its channel, or an empty text.
-- Returns { "done", "changed", "anew", "unlike", "late", "refused" or "partly", 1 if the next one was told, fields and values of
-- the hash as found, the first waiters as found, each with its deadline behind (empty: none) }.
--include force_part.lua
--include fair_leave_part.lua
local call = redis.call
local lock, queue, deadlines, channel = unpack(KEYS)
local owner, publish, seen, now = ARGV[2], ARGV[3], ARGV[4], serverTime()

local refused, fields = look(lock)
local queueKind, deadlinesKind = call('TYPE', queue).ok, call('TYPE', deadlines).ok
if refused or queueKind ~= 'none' and queueKind ~= 'list' or deadlinesKind ~= 'none' and deadlinesKind ~= 'zset' then
    return answer('unlike', 0, {})
end
local found = {}
for place = 0, math.min(call('LLEN', queue), 100) - 1 do
    local waiter = call('LINDEX', queue, place)
    if #waiter > LongestElement then
        return answer('unlike', 0, {})
    end
    found[#found + 1] = waiter
    found[#found + 1] = call('ZSCORE', deadlines, waiter) or ''
end
local waiters = behind(queue, owner)
if not waiters then
    return answer('changed', 0, fields, found)
end

-- Who stays in the queue moves up alone, and its deadline comes nearer only when somebody ahead has left. Whoever left it
-- meanwhile, and lined up anew, has told that its client lives; so has who listens by now.
local place = call('LLEN', queue) - #waiters - 1
local deadline = call('ZSCORE', deadlines, owner)
local function isAmongFirst(count) -- of one that stands there twice the first place was seen
    for _, waiter in ipairs(call('LRANGE', queue, 0, count - 1)) do
        if waiter == owner then
            return true
        end
    end
    return false
end
local function isListenedFor() -- as far as this server is told
    for _, number in ipairs({ 'NUMSUB', publish == 'SPUBLISH' and 'SHARDNUMSUB' or nil }) do
        local heard = redis.pcall('PUBSUB', number, channel .. ':' .. owner)
        if not heard.err and heard[2] > 0 then
            return true
        end
    end
    return false
end
local function isAnew()
    local aheadThen, deadlineThen, ghost = string.match(seen, '^(%d+) (%-?%d*) ?(%a*)$')
    local whole = deadline and math.floor(math.max(-2 ^ 53, math.min(2 ^ 53, deadline))) or nil
    aheadThen, deadlineThen = tonumber(aheadThen), tonumber(deadlineThen)
    local isEarlier = whole and deadlineThen and whole < deadlineThen
    return place > aheadThen and not isAmongFirst(aheadThen + 1)
        or whole ~= deadlineThen and not (isEarlier and place < aheadThen)
        or ghost ~= '' and isListenedFor()
end
if seen ~= '' and isAnew() then
    return answer('anew', 0, fields, found)
end

-- How long it was willing to wait stands nowhere; it is by how much its deadline is later than that of the one ahead, or,
-- of the head, than the time when the lock is free at the latest.
local ahead = place > 0 and call('ZSCORE', deadlines, call('LINDEX', queue, place - 1))
local wait = 0
if deadline then
    wait = math.max(0, deadline - (ahead or now + math.max(0, call('PTTL', lock))))
end
wait = wait < math.huge and wait or 0
-- The unlock's message went to the one that leaves, and the next would sleep on.
local next = place == 0 and #fields == 0 and waiters[#waiters]
refused = carryOut(function(call)
    if next then
        call(publish, channel .. ':' .. next, 0)
    end
    leave(call, queue, deadlines, owner, waiters, wait)
end)
return refused or answer('done', next and 1 or 0, fields, found)
