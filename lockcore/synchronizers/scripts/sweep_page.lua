-- SPDX-License-Identifier: Apache-2.0
-- One page of SCAN. ARGV: cursor, count, type (hash, list or any), pattern or nothing.
-- Returns: next cursor, size of the database on the first page and 0 on the others, hashes that may be locks, names
-- that tell of other locks, 1 if a page of hashes tells all that pages of the other types would.
--include lock_shape.lua

local function scan(kind, pattern)
    local command = { 'SCAN', ARGV[1], 'COUNT', ARGV[2] }
    if pattern and pattern ~= '' then
        command[5], command[6] = 'MATCH', pattern
    end
    if kind then
        command[#command + 1], command[#command + 2] = 'TYPE', kind
    end
    local page = redis.call(unpack(command))
    return page[1], page[2]
end

local found = {}
local function findQueues()
    local cursor, names = scan('list', 'redisson_lock_queue:*')
    for _, name in ipairs(names) do
        found[#found + 1] = name
    end
    return cursor
end

-- Permits of semaphores, and counters that belong to values of maps.
local telling = { timeout = true, semaphore = true, permitexpirablesemaphore = true, countdownlatch = true }
local function findTellingNames()
    local cursor, names = scan(nil, '*{*:*[eht]')
    for _, name in ipairs(names) do
        if telling[string.match(name, '([a-z]+)$')] then
            found[#found + 1] = name
        end
    end
    return cursor
end

local size = ARGV[1] == '0' and redis.call('DBSIZE') or 0
if ARGV[3] ~= 'hash' then
    local cursor = ARGV[3] == 'list' and findQueues() or findTellingNames()
    return { cursor, size, {}, found, 0 }
end

-- The same keys three times over, while they are at hand, cost less than three sweeps.
local cursor, names = scan('hash', ARGV[4])
local all = findQueues() == cursor and findTellingNames() == cursor

-- One field at random costs the same however large the hash is.
local call, hashes = redis.pcall, {}
for i = 1, #names do
    local name = names[i]
    local field = call('HRANDFIELD', name)
    if type(field) == 'table' and not isElsewhere(field) then
        error(field)
    end
    if type(field) == 'string' and mayBeLock(field) then
        hashes[#hashes + 1] = name
    end
end
return { cursor, size, hashes, all and found or {}, all and 1 or 0 }
