-- SPDX-License-Identifier: Apache-2.0
-- Looks at the locks named by KEYS. Returns one element a name: nil where there is surely no lock, else
-- { fields, PTTL, queue, its length, deadlines, first of the deadlines' zset, token, holds, namesake }.
--include lock_shape.lua

local MaxFields, MaxWaiters, MaxHolds = 1000, 1000, 1000

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

local looks = {}
for i, name in ipairs(KEYS) do
    local kind = redis.call('TYPE', name).ok
    looks[i] = kind == 'hash' and lookAtHash(name) or kind == 'none' and lookAtQueue(name) or false
end
return looks
