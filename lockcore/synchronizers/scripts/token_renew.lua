-- SPDX-License-Identifier: Apache-2.0
-- Prolongs locks that have these tokens. Never shortens, as lock_renew.lua.
-- KEYS: locks. ARGV: lease, then the token of each lock.
-- Returns a list, for each lock 1 if it has the token, else 0.
--include token_part.lua
local renewed = {}
for i, lock in ipairs(KEYS) do
    renewed[i] = isHeldWith(lock, ARGV[1 + i]) and 1 or 0
    if renewed[i] == 1 and redis.call('PTTL', lock) < tonumber(ARGV[1]) then
        redis.call('PEXPIRE', lock, ARGV[1])
    end
end
return renewed
