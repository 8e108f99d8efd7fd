-- SPDX-License-Identifier: Apache-2.0
-- One page of SCAN. ARGV: cursor, count, type (hash, list or zset), pattern or nothing.
-- Returns: next cursor, size of the database on the first page and 0 on the others, hashes that may be locks,
-- fair queues or what may be permits.
--include lock_shape.lua

local scan = { 'SCAN', ARGV[1], 'COUNT', ARGV[2], 'TYPE', ARGV[3] }
local side = ({ list = 'redisson_lock_queue:*', zset = '*{*:timeout' })[ARGV[3]]
if side then
    scan[7], scan[8] = 'MATCH', side
elseif ARGV[4] and ARGV[4] ~= '' then
    scan[7], scan[8] = 'MATCH', ARGV[4]
end
local page = redis.call(unpack(scan))

local size = ARGV[1] == '0' and redis.call('DBSIZE') or 0
if side then
    return { page[1], size, {}, page[2] }
end

-- One field at random costs the same however large the hash is.
local call, names, hashes = redis.call, page[2], {}
for i = 1, #names do
    local name = names[i]
    local field = call('HRANDFIELD', name)
    if field and mayBeLock(field) then
        hashes[#hashes + 1] = name
    end
end
return { page[1], size, hashes, {} }
