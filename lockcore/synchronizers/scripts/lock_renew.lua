-- SPDX-License-Identifier: Apache-2.0
-- Sets the time to live of locks that are held by one field: reentrant, fair and write locks.
-- KEYS: locks. ARGV: lease, then the field of each lock.
-- Returns a list, for each lock 1 if the field is there, else 0.
local renewed = {}
for i, lock in ipairs(KEYS) do
    renewed[i] = redis.call('HEXISTS', lock, ARGV[1 + i])
    if renewed[i] == 1 then
        redis.call('PEXPIRE', lock, ARGV[1])
    end
end
return renewed
