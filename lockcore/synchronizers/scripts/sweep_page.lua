-- SPDX-License-Identifier: Apache-2.0
-- One page of SCAN. ARGV: cursor, count, type (hash, list, any or string), pattern for hashes or strings or nothing; of
-- hashes also all patterns for strings that are locks by their names.
-- Returns: next cursor, size of the database on the first page and 0 on the others, names that tell of other locks,
-- 1 if a page of hashes tells all that pages of the other types would, hashes and strings that have to be looked at,
-- hashes that were looked at and are locks, and as many looks: see read_locks.lua.
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

local found = {}
local function findQueues()
    local cursor, names = scan('list', 'redisson_lock_queue:*')
    for _, name in ipairs(names) do
        local base = string.sub(name, 21)
        local inner = string.match(base, '^{([^{]*)}$')
        local looked, held = pcall(function() return isHeld(base) or inner and isHeld(inner) end)
        if not looked and not isElsewhere(held) then
            error(held)
        end
        if (not looked or not held) and #name <= LongestName then
            found[#found + 1] = name
        end
    end
    return cursor
end

-- Permits of semaphores, and counters that belong to values of maps.
local telling = { timeout = true, semaphore = true, permitexpirablesemaphore = true, countdownlatch = true }
local function findTellingNames()
    local cursor, names = scan(nil, '*{*:*[eht]')
    for _, name in ipairs(names) do
        if telling[string.match(name, '([a-z]+)$')] and #name <= LongestName then
            found[#found + 1] = name
        end
    end
    return cursor
end

local function findStrings(pattern, into)
    local cursor, names = scan('string', pattern)
    for _, name in ipairs(names) do
        if #name <= LongestName then
            into[#into + 1] = name
        end
    end
    return cursor
end

local size = ARGV[1] == '0' and call('DBSIZE') or 0
if ARGV[3] == 'string' then
    local strings = {}
    return { findStrings(ARGV[4], strings), size, {}, 0, strings, {}, {} }
end
if ARGV[3] ~= 'hash' then
    local cursor = ARGV[3] == 'list' and findQueues() or findTellingNames()
    return { cursor, size, found, 0, {}, {}, {} }
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

-- The same keys three times over, while they are at hand, cost less than three sweeps.
local all = findQueues() == cursor and findTellingNames() == cursor
for i = 5, #ARGV do
    all = all and findStrings(ARGV[i], left) == cursor
end
return { cursor, size, all and found or {}, all and 1 or 0, left, seen, looks }
