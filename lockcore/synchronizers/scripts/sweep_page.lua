-- SPDX-License-Identifier: Apache-2.0
-- A page of a sweep: of each of its walks over all keys a page of SCAN. ARGV: count, 1 if the server may be asked for its
-- time, then of each walk cursor, type and pattern, the latter two empty for all. An empty cursor: it is at its end.
-- Hashes are looked at, strings are left to be looked at; where all types are wanted, names that tell of other locks are
-- looked for.
-- Returns: the next cursors, empty at the end, size of the database on the first page and 0 on the others, names that
-- tell of other locks, what has to be looked at, hashes that were looked at and are locks, as many looks: see
-- read_locks.lua, and how many microseconds all of that took, 0: not known.
--include lock_look.lua

-- What takes more time than a page may is left to whoever reads these locks alone.
local MostLooks = 100

-- Since Redis 7.2 TIME stands still in a script; since 7.4 there is a clock.
local function microseconds()
    local system = rawget(_G, 'os') -- not in each version
    if system then
        return system.clock() * 1e6
    end
    local time = ARGV[2] == '1' and redis.pcall('TIME')
    return time and not time.err and tonumber(time[1]) * 1e6 + tonumber(time[2]) or 0
end
local start = microseconds()

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

local function isOfHeld(queue)
    local base = string.sub(queue, 21)
    local inner = string.match(base, '^{([^{]*)}$')
    local looked, held = pcall(function() return isHeld(base) or inner and isHeld(inner) end)
    if not looked and not isElsewhere(held) then
        error(held)
    end
    return looked and held
end

-- Permits of semaphores, and counters that belong to values of maps.
local telling = { timeout = true, semaphore = true, permitexpirablesemaphore = true, countdownlatch = true }
local lastLetters = { [byte('t')] = true, [byte('e')] = true, [byte('h')] = true }
local afterRedisson = byte('l') -- in 'redisson_lock_queue', not in the name of a latch, of which there are far more
local function tells(name)
    if byte(name, 10) == afterRedisson and find(name, '^redisson_lock_queue:') then
        return not isOfHeld(name)
    end
    return lastLetters[byte(name, -1)] and telling[string.match(name, ':([a-z]+)$')]
end

local found, left, seen, looks = {}, {}, {}, {}

-- One field at random costs the same however large the hash is.
local function lookAt(name)
    local field = call('HRANDFIELD', name)
    if not field or not mayBeLock(field) or #name > LongestName then
        return
    end
    local look, isWhole = false, false
    if #seen < MostLooks then
        look, isWhole = lookAtHash(name, FewElements, true, field)
    end
    if not isWhole then
        left[#left + 1] = name
    elseif look then
        seen[#seen + 1], looks[#looks + 1] = name, look
    end
end

local function lookAtAll(names)
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
end

local function scan(cursor, kind, pattern)
    local command = { 'SCAN', cursor, 'COUNT', ARGV[1] }
    if pattern ~= '' then
        command[5], command[6] = 'MATCH', pattern
    end
    if kind ~= '' then
        command[#command + 1], command[#command + 2] = 'TYPE', kind
    end
    return unpack(call(unpack(command)))
end

-- What two walks come by is at hand for the second.
local cursors = {}
for i = 3, #ARGV, 3 do
    local cursor, kind = ARGV[i], ARGV[i + 1]
    if cursor ~= '' then
        local names
        cursor, names = scan(cursor, kind, ARGV[i + 2])
        if kind == 'hash' then
            lookAtAll(names)
        elseif kind == 'string' then
            for _, name in ipairs(names) do
                if #name <= LongestName then
                    left[#left + 1] = name
                end
            end
        else
            for _, name in ipairs(names) do
                if tells(name) and #name <= LongestName then
                    found[#found + 1] = name
                end
            end
        end
    end
    cursors[#cursors + 1] = cursor == '0' and '' or cursor
end
local size = ARGV[3] == '0' and call('DBSIZE') or 0
return { cursors, size, found, left, seen, looks, microseconds() - start }
