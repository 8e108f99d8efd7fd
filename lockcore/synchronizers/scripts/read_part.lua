-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of read locks. The longest time that any hold of any reader has left.
local function longestHold(lock, prefix)
    local longest = 0
    local fields = redis.call('HGETALL', lock)
    for i = 1, #fields, 2 do
        for hold = 1, tonumber(fields[i + 1]) or 0 do
            local left = redis.call('PTTL', prefix .. fields[i] .. ':rwlock_timeout:' .. hold)
            longest = math.max(longest, left)
        end
    end
    return longest
end
