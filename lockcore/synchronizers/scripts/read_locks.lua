-- SPDX-License-Identifier: Apache-2.0
-- Looks at the locks named by KEYS, or by ARGV from the second; ARGV: the server's time in epoch milliseconds, as far as
-- it is known. With a `?` behind it, or without it, the server is asked: a monitor may not be permitted to. Then the
-- times before and after the looks follow as the last element, since before Redis 7.2 time goes on in a script, and a
-- server may be held up in its midst. Behind that may stand a `t` for each name of which a string is a lock by its token,
-- and a `-` for each other one. Returns one element a name: nil where there is surely no lock;
-- 'elsewhere' where another node of the cluster would tell, or { 'elsewhere', fields, PTTL } where that is so of the other
-- keys alone; 'later' where the locks before were so large that this one has to be asked for again; 'unread' where a
-- hash that may be a lock is too large to be fetched; for a hash or a free name
-- { fields, PTTL, queue, its length, deadlines, first of the deadlines' zset, token, holds, namesake }
-- with a length of -1 where the queue is not read, since it has an element longer than a waiter can be,
-- or { PTTL, field, value, … } where the others would be empty;
-- for a number { text, PTTL, permits that run out first, the last one, how many, overdue, other is a number };
-- for a token { { text, PTTL } }.
--include lock_look.lua

local MaxElements, MaxLeases, MostInAStep, FewFields = 1000, 100, 2000, 8

-- The other name with the same auxiliary keys: `a` and `{a}`.
local function namesake(name)
    local other = string.match(name, '^{([^{]*)}$')
    if not other then
        if find(name, '{', 1, true) then
            return false
        end
        other = '{' .. name .. '}'
    end
    local kind = call('TYPE', other).ok
    local fields = kind == 'hash' and call('HLEN', other) == 1 and call('HGETALL', other)
    if fields and areShort(fields) then
        return { kind, fields }
    end
    return { kind, {} }
end

local function lookAtQueue(name)
    local base = braced(name)
    local queue, length, deadlines, first = fairQueue(base, MaxElements)
    if length == 0 then
        return false
    end
    return { {}, -2, queue, length, deadlines, first, tokenOf(base), {}, namesake(name) or {} }
end

-- Nil: we may not ask.
local function serverTime()
    local time = redis.pcall('TIME')
    return not time.err and tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000) or nil
end

local known, asks, marks = string.match(ARGV[1] or '0?', '^(%d+)(%??)([t%-]*)$')
local start = asks == '?' and serverTime() or nil
local now = start or known

-- Not read beyond what a number needs, however large the string is.
local function number(name)
    local text = call('GETRANGE', name, 0, 20)
    return #text <= 20 and find(text, '^%-?%d+$') and text
end

-- Nil: at least one of these permits has a name longer than a permit can have.
local function permitsFrom(permits, first, last, atOnce)
    local found = {}
    for rank = first, last, atOnce and last - first + 1 or 1 do
        for _, part in ipairs(call('ZRANGE', permits, rank, atOnce and last or rank, 'WITHSCORES')) do
            if #part > LongestElement then
                return nil
            end
            found[#found + 1] = part
        end
    end
    elements = elements + #found
    return found
end

local function lookAtNumber(name)
    local text = number(name)
    if not text then
        return false
    end
    local inner = string.match(name, '^{([^{]*)}$')
    local other = inner and call('TYPE', inner).ok == 'string' and number(inner)
    local permits = braced(name) .. ':timeout'
    local count = redis.pcall('ZCARD', permits) -- refused: a key of another type, or one that is not for us
    local any = type(count) == 'number' and count > 0
    local atOnce = any and count > FewElements and areLight(permits, count, MaxLeases)
    local firsts = any and permitsFrom(permits, 0, math.min(count, MaxLeases) - 1, atOnce)
    local last = firsts and permitsFrom(permits, -1, -1)
    if not last then
        return { text, call('PTTL', name), {}, {}, 0, 0, other and 1 or 0 }
    end
    return { text, call('PTTL', name), firsts, last, count, call('ZCOUNT', permits, '-inf', now), other and 1 or 0 }
end

local function lookAtToken(name)
    local text = call('GETRANGE', name, 0, LongestElement)
    elements = elements + 1
    return #text <= LongestElement and { { text, call('PTTL', name) } }
end

-- Others may have written into a lock.
local function hasLockField(name)
    for _, field in ipairs(call('HRANDFIELD', name, FewFields)) do
        if mayBeLock(field) then
            return true
        end
    end
    return false
end

local function look(name, isByName)
    local kind = call('TYPE', name).ok
    if kind == 'hash' then
        return hasLockField(name) and lookAtHash(name, MaxElements)
    end
    if kind == 'string' then
        return lookAtNumber(name) or isByName and lookAtToken(name)
    end
    return kind == 'none' and lookAtQueue(name)
end

-- What this node has still of a lock on its way to another one.
local function heldHere(name)
    local isThere, field = pcall(call, 'HRANDFIELD', name)
    if not isThere or not field or not mayBeLock(field) then
        return 'elsewhere'
    end
    local count = call('HLEN', name)
    local fields = count <= MaxElements and isSmall(name, count) and call('HRANDFIELD', name, count, 'WITHVALUES')
    return fields and areShort(fields) and { 'elsewhere', fields, call('PTTL', name) } or 'elsewhere'
end

-- A node of a cluster takes KEYS of one slot only: then the names stand in ARGV. A slot that is not the node's, or is
-- on its way to another one, does not spoil the looks at the others.
local names, looks = #KEYS > 0 and KEYS or { unpack(ARGV, 2) }, {}
for i, name in ipairs(names) do
    if elements > MostInAStep then
        looks[i] = 'later'
    else
        local looked, found = pcall(look, name, string.sub(marks, i, i) == 't')
        if not looked and not isElsewhere(found) then
            error(found)
        end
        looks[i] = looked and found or not looked and heldHere(name)
    end
end
if start then
    looks[#names + 1] = { start, serverTime() }
end
return looks
