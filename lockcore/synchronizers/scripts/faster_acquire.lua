-- SPDX-License-Identifier: Apache-2.0
-- Takes a hold of several values of a group: of all or of none.
-- KEYS: group. ARGV: lease, owner, holds known of (empty unless the answer to an earlier try was lost), hashes.
-- Returns nil: acquired. Otherwise how long the last one to go of those who hold one of the values has left.
--include clock_part.lua
--include faster_part.lua
local call = redis.call
local group = KEYS[1]
local lease, owner, known, now = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), serverTime()

if #ARGV < 4 then
    return redis.error_reply('ERR no values to lock')
end
local fields = call('HLEN', group)
if fields == 1 or fields > 0 and call('HEXISTS', group, 'mode') == 1 then -- a lock of another kind
    return call('PTTL', group)
end
local busy, counted = nil, known ~= nil
for i = 4, #ARGV do
    local hash = ARGV[i]
    local holder = call('HGET', group, hash)
    if holder and holder ~= owner then
        local left = fieldNumber(group, expiry(hash, holder)) - now
        if left > 0 then
            busy = math.max(busy or 0, left)
        end
    end
    counted = counted and holder == owner and fieldNumber(group, count(hash, owner)) > known
end
if busy then
    return busy
end

for i = 4, #ARGV do
    local hash = ARGV[i]
    local expires = math.max(fieldNumber(group, expiry(hash, owner)), now + lease)
    call('HSET', group, hash, owner, expiry(hash, owner), expires)
    if not counted then -- on what a hold that ran out has left behind, as with the peers
        call('HINCRBY', group, count(hash, owner), 1)
    end
end
local ttl = call('PTTL', group)
if fields == 0 or ttl > 0 and ttl < lease then
    call('PEXPIRE', group, lease)
end
return nil
