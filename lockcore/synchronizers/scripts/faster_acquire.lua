-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of several values of a group: of all or of none.
-- KEYS: group. ARGV: last moment, lease, owner, then each hash with the holds known of (one more is counted for this try;
-- empty: not asked).
-- Returns acquired(), of the hash with the most that are not known; -1 more where one is known that another took over, or
-- that is gone. Otherwise how long the last one to go of those who hold one of the values has left.
--include last_moment_part.lua
--include faster_part.lua
--include acquire_part.lua
local call = redis.call
local group = KEYS[1]
local lease, owner, now = tonumber(ARGV[2]), ARGV[3], serverTime()

if #ARGV < 4 then
    return redis.error_reply('ERR no values to lock')
end
local fields = call('HLEN', group)
if fields == 1 or fields > 0 and call('HEXISTS', group, 'mode') == 1 then -- a lock of another kind
    return call('PTTL', group)
end
local busy, more = nil, nil
for i = 4, #ARGV, 2 do
    local hash, known = ARGV[i], tonumber(ARGV[i + 1])
    local holder = call('HGET', group, hash)
    if holder and holder ~= owner then
        local left = fieldNumber(group, expiry(hash, holder)) - now
        if left > 0 then
            busy = math.max(busy or 0, left)
        end
    end
    if known and holder ~= owner and known > 0 then
        more = -1
    elseif known and more ~= -1 then
        more = math.max(more or 0, fieldNumber(group, count(hash, owner)) - known)
    end
end
if busy then
    return busy
end

for i = 4, #ARGV, 2 do
    local hash, known = ARGV[i], tonumber(ARGV[i + 1])
    local expires = math.max(fieldNumber(group, expiry(hash, owner)), now + lease)
    call('HSET', group, hash, owner, expiry(hash, owner), expires)
    -- Without that, on what a hold that ran out has left behind, as with the peers.
    if not (known and fieldNumber(group, count(hash, owner)) > known) then
        call('HINCRBY', group, count(hash, owner), 1)
    end
end
local ttl = call('PTTL', group)
if fields == 0 or ttl >= 0 and ttl < lease then -- 0: its last millisecond
    call('PEXPIRE', group, lease)
end
return acquired(more or 0, 0)
