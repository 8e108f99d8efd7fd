-- SPDX-License-Identifier: Apache-2.0
-- One page of SCAN. ARGV: cursor, count, type (hash or named), pattern for hashes or nothing.
-- Returns: next cursor, size of the database on the first page and 0 on the others, names that tell of other locks,
-- 1 if a page of hashes tells all that a page of names would, hashes that have to be looked at, hashes that were looked
-- at and are locks, and as many looks: see read_locks.lua.
--include lock_look.lua

-- What takes more time than a page may is left to whoever reads these locks alone.
local MostLooks = 100

local function scan(kind, pattern)
    local command = { 'SCAN', ARGV[1], 'COUNT', ARGV[2] }
    if pattern and pattern ~= '' then
        command[5], command[6] = 'MATCH', pattern
    end
    if kind then
        command[#command + 1], command[#command + 2] = 'TYPE', kind
    end
    local page = call(unpack(command))
    return page[1], page[2]
end

-- Held beyond doubt: that hash is looked at, and its queue with it.
local hex3 = string.rep('[0-9a-f]', 3)
local hex4 = string.rep('[0-9a-f]', 4)
local usualOwner = '^' .. hex4 .. hex4 .. '%-' .. hex4 .. '%-4' .. hex3 .. '%-[89ab]' .. hex3 .. '%-'
    .. hex4 .. hex4 .. hex4 .. ':' .. string.rep('%d?', 18) .. '%d$'
local function isHeld(name)
    if call('TYPE', name).ok ~= 'hash' or not mayBeLock(call('HRANDFIELD', name)) then
        return false
    end
    local fields = call('HLEN', name) == 1 and call('HRANDFIELD', name, 1, 'WITHVALUES')
    return fields and #fields == 2 and #fields[2] <= 3 and find(fields[1], usualOwner) ~= nil and find(fields[2], '^[1-9]%d?%d?$') ~= nil
end

-- Of a lock that the page of hashes tells of nothing more is needed.
local queuePrefix = 'redisson_lock_queue:'
local function tellsOfFreeLock(queue)
    if call('TYPE', queue).ok ~= 'list' then
        return false
    end
    local base = string.sub(queue, #queuePrefix + 1)
    local inner = string.match(base, '^{([^{]*)}$')
    return not isHeld(base) and not (inner and isHeld(inner))
end

-- Permits of semaphores, and counters that belong to values of maps.
local telling = { timeout = true, semaphore = true, permitexpirablesemaphore = true, countdownlatch = true }
local function tells(name)
    if string.sub(name, 1, #queuePrefix) == queuePrefix then
        local looked, isFree = pcall(tellsOfFreeLock, name)
        if not looked and not isElsewhere(isFree) then
            error(isFree)
        end
        return not looked or isFree
    end
    return telling[string.match(name, ':([a-z]+)$') or '']
end

local found = {}
local function findNamed()
    local cursor, names = scan(nil, '*{*')
    for _, name in ipairs(names) do
        if #name <= LongestName and tells(name) then
            found[#found + 1] = name
        end
    end
    return cursor
end

local size = ARGV[1] == '0' and call('DBSIZE') or 0
if ARGV[3] ~= 'hash' then
    return { findNamed(), size, found, 0, {}, {}, {} }
end

local left, seen, looks = {}, {}, {}

-- One field at random costs the same however large the hash is.
local function lookAt(name)
    local field = call('HRANDFIELD', name)
    if not field or not mayBeLock(field) or #name > LongestName then
        return
    end
    local look, isWhole = false, false
    if #seen < MostLooks then
        look, isWhole = lookAtHash(name, FewElements, true)
    end
    if not isWhole then
        left[#left + 1] = name
    elseif look then
        seen[#seen + 1], looks[#looks + 1] = name, look
    end
end

local cursor, names = scan('hash', ARGV[4])
local at = 0
local function lookAtOthers()
    while at < #names do
        at = at + 1
        lookAt(names[at])
    end
end
repeat
    local looked, raised = pcall(lookAtOthers)
    if not looked then
        if not isElsewhere(raised) then
            error(raised)
        end
        left[#left + 1] = names[at]
    end
until looked

-- The same keys twice over, while they are at hand, cost less than two sweeps.
local all = findNamed() == cursor
return { cursor, size, all and found or {}, all and 1 or 0, left, seen, looks }
