-- SPDX-License-Identifier: Apache-2.0
-- Prolongs holds of read locks. Redisson sets the lock's time to live to the lease and so shortens what another reader
-- has; and leaves a hold that ran out while others read as it is. Ours never shortens, and revives: its field kept
-- writers out all the time.
-- KEYS: for each lock the lock and the owner's timeout key without index. ARGV: lease, then the owner for each lock.
-- Returns a list, for each lock 1 if the owner holds it, else 0.
--include read_part.lua
local call = redis.call
local lease = ARGV[1]
local renewed = {}
for i = 1, #KEYS / 2 do
    local lock, timeout = KEYS[2 * i - 1], KEYS[2 * i]
    local held = tonumber(call('HGET', lock, ARGV[1 + i]) or 0)
    for hold = firstOf(held), held do
        local deadline = timeout .. ':' .. hold
        if call('PTTL', deadline) < tonumber(lease) then
            call('SET', deadline, 1, 'PX', lease)
        end
    end
    if held > 0 and call('PTTL', lock) < tonumber(lease) then
        call('PEXPIRE', lock, lease)
    end
    renewed[i] = held > 0 and 1 or 0
end
return renewed
