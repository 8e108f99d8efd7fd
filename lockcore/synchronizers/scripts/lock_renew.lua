-- SPDX-License-Identifier: Apache-2.0
-- Prolongs locks that are held by one field: reentrant, fair and write locks. Never shortens: a copy of a renewal that
-- comes late may meet a later hold of the same owner, with a longer lease.
-- KEYS: locks. ARGV: lease, then the field of each lock.
-- Returns a list, for each lock 1 if the field is there, else 0.
local renewed = {}
for i, lock in ipairs(KEYS) do
    renewed[i] = redis.call('HEXISTS', lock, ARGV[1 + i])
    if renewed[i] == 1 and redis.call('PTTL', lock) < tonumber(ARGV[1]) then
        redis.call('PEXPIRE', lock, ARGV[1])
    end
end
return renewed
