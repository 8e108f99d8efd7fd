-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of read locks.
-- The first of so many holds to look at: the newest thousand, for a count that nobody has must not block the server.
local function firstOf(holds)
    return math.max(1, holds - 999)
end

-- The longest time that any hold of any reader has left.
local function longestHold(lock, prefix)
    local longest = 0
    local fields = redis.call('HGETALL', lock)
    for i = 1, #fields, 2 do
        local holds = tonumber(fields[i + 1]) or 0
        for hold = firstOf(holds), holds do
            local left = redis.call('PTTL', prefix .. fields[i] .. ':rwlock_timeout:' .. hold)
            longest = math.max(longest, left)
        end
    end
    return longest
end
