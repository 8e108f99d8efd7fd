-- SPDX-License-Identifier: Apache-2.0
-- Looks at the locks named by KEYS, or by ARGV from the second; ARGV: now, in epoch milliseconds. Returns one element a
-- name: nil where there is surely no lock; 'elsewhere' where another node of the cluster would tell; for a hash or a
-- free name
-- { fields, PTTL, queue, its length, deadlines, first of the deadlines' zset, token, holds, namesake };
-- for a number { text, PTTL, permits that run out first, the last one, how many, overdue, other is a number }.
--include lock_shape.lua

local MaxFields, MaxWaiters, MaxHolds, MaxLeases = 1000, 1000, 1000, 100

-- A key of another type is none of ours, whatever its name.
local function ask(...)
    local reply = redis.pcall(...)
    if type(reply) == 'table' and reply.err then
        if string.sub(reply.err, 1, 9) ~= 'WRONGTYPE' then
            error(reply)
        end
        return false
    end
    return reply
end

local function auxiliary(prefix, name)
    if string.find(name, '{', 1, true) then
        return prefix .. name
    end
    return prefix .. '{' .. name .. '}'
end

local function fairQueue(name)
    local key = auxiliary('redisson_lock_queue:', name)
    local queue = ask('LRANGE', key, 0, MaxWaiters - 1) or {}
    local timeouts = auxiliary('redisson_lock_timeout:', name)
    local first = ask('ZRANGE', timeouts, 0, 0)
    local deadlines = {}
    if #queue > 0 and first and first[1] then
        deadlines = redis.call('ZMSCORE', timeouts, unpack(queue))
    end
    local length = #queue < MaxWaiters and #queue or redis.call('LLEN', key)
    return queue, length, deadlines, first and first[1] or false
end

-- The other name with the same auxiliary keys: `a` and `{a}`.
local function namesake(name)
    local other = string.match(name, '^{([^{]*)}$')
    if not other then
        if string.find(name, '{', 1, true) then
            return false
        end
        other = '{' .. name .. '}'
    end
    local kind = redis.call('TYPE', other).ok
    if kind == 'hash' and redis.call('HLEN', other) == 1 then
        return { kind, redis.call('HGETALL', other) }
    end
    return { kind, {} }
end

-- Time left of each read hold; empty for a reader with more holds than are looked at.
local function readHolds(name, fields)
    local base = string.find(name, '{', 1, true) and name or '{' .. name .. '}'
    local holds, left = {}, MaxHolds
    for i = 1, #fields, 2 do
        local count = string.find(fields[i + 1], '^%d%d?%d?%d?$') and tonumber(fields[i + 1]) or 0
        if fields[i] ~= 'mode' and not string.find(fields[i], ':write', 1, true) and count <= left then
            left = left - count
            local times = {}
            for hold = 1, count do
                times[hold] = redis.call('PTTL', base .. ':' .. fields[i] .. ':rwlock_timeout:' .. hold)
            end
            holds[#holds + 1] = { fields[i], times }
        end
    end
    return holds
end

local function lookAtHash(name)
    local size = redis.call('HLEN', name)
    if size > MaxFields or not mayBeLock(redis.call('HRANDFIELD', name)) then
        return false
    end
    local fields, ttl = redis.call('HGETALL', name), redis.call('PTTL', name)
    if size > 1 then
        local holds = redis.call('HEXISTS', name, 'mode') == 1 and readHolds(name, fields) or {}
        return { fields, ttl, {}, 0, {}, false, false, holds, {} }
    end
    local queue, length, deadlines, first = fairQueue(name)
    local token = ask('GET', auxiliary('redisson_lock_token:', name))
    return { fields, ttl, queue, length, deadlines, first, token, {}, {} }
end

local function lookAtQueue(name)
    local queue, length, deadlines, first = fairQueue(name)
    if #queue == 0 then
        return false
    end
    local token = ask('GET', auxiliary('redisson_lock_token:', name))
    return { {}, -2, queue, length, deadlines, first, token, {}, namesake(name) or {} }
end

-- Not read beyond what a number needs, however large the string is.
local function number(name)
    local text = redis.call('GETRANGE', name, 0, 20)
    return #text <= 20 and string.find(text, '^%-?%d+$') and text
end

local function lookAtNumber(name)
    local text = number(name)
    if not text then
        return false
    end
    local inner = string.match(name, '^{([^{]*)}$')
    local other = inner and redis.call('TYPE', inner).ok == 'string' and number(inner)
    local permits = (string.find(name, '{', 1, true) and name or '{' .. name .. '}') .. ':timeout'
    local count = redis.pcall('ZCARD', permits) -- refused: a key of another type, or one that is not for us
    if type(count) ~= 'number' or count == 0 then
        return { text, redis.call('PTTL', name), {}, {}, 0, 0, other and 1 or 0 }
    end
    return { text, redis.call('PTTL', name), redis.call('ZRANGE', permits, 0, MaxLeases - 1, 'WITHSCORES'),
        redis.call('ZRANGE', permits, -1, -1, 'WITHSCORES'), count,
        redis.call('ZCOUNT', permits, '-inf', ARGV[1] or '-inf'), other and 1 or 0 }
end

local function look(name)
    local kind = redis.call('TYPE', name).ok
    return kind == 'hash' and lookAtHash(name) or kind == 'none' and lookAtQueue(name)
        or kind == 'string' and lookAtNumber(name) or false
end

-- A node of a cluster takes KEYS of one slot only: then the names stand in ARGV. A slot that is not the node's, or is
-- on its way to another one, does not spoil the looks at the others.
local names, looks = #KEYS > 0 and KEYS or { unpack(ARGV, 2) }, {}
for i, name in ipairs(names) do
    local looked, found = pcall(look, name)
    if not looked and not isElsewhere(found) then
        error(found)
    end
    looks[i] = looked and found or not looked and 'elsewhere'
end
return looks
