-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of read locks.
-- The first of so many holds to look at: the newest thousand, for a count that nobody has must not block the server. One
-- that is too large to be counted up has no holds at all: no loop begins at what is no number.
local function firstOf(holds)
    return holds < 2 ^ 53 and math.max(1, holds - 999) or 0 / 0
end

-- The longest time that any hold of these readers (fields and values of the hash) has left.
local function longestHold(fields, prefix)
    local longest = 0
    for i = 1, #fields, 2 do
        local holds = tonumber(fields[i + 1]) or 0
        for hold = firstOf(holds), holds do
            local left = redis.call('PTTL', prefix .. fields[i] .. ':rwlock_timeout:' .. hold)
            longest = math.max(longest, left)
        end
    end
    return longest
end
