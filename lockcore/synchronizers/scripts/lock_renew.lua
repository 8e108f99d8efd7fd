-- SPDX-License-Identifier: Apache-2.0
-- Prolongs locks that are held by one field: reentrant, fair and write locks. Shortens only if that is wished: a copy of
-- a renewal that comes late may meet a later hold of the same owner, with a longer lease.
-- KEYS: locks. ARGV: lease, then the field of each lock, then "set" to shorten too.
-- Returns a list, for each lock 1 if the field is there, else 0.
local renewed = {}
local sets = ARGV[#KEYS + 2] == 'set'
for i, lock in ipairs(KEYS) do
    renewed[i] = redis.call('HEXISTS', lock, ARGV[1 + i])
    if renewed[i] == 1 and (sets or redis.call('PTTL', lock) < tonumber(ARGV[1])) then
        redis.call('PEXPIRE', lock, ARGV[1])
    end
end
return renewed
