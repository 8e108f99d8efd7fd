-- SPDX-License-Identifier: Apache-2.0
-- What a look at the keys of one lock consists of.
--include lock_shape.lua

local call = redis.call
local elements = 0 -- that were fetched
local FewElements = 16
local BytesOfAnElement = 512 -- that it takes as much time to fetch as one

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

local function braced(name)
    return find(name, '{', 1, true) and name or '{' .. name .. '}'
end

-- At most so many waiters, and how many there are; -1: an element is longer than a waiter can be.
local function waitersOf(key, most)
    local length = ask('LLEN', key) or 0
    local queue = {}
    if length > FewElements and areLight(key, length, most) then
        queue = call('LRANGE', key, 0, most - 1)
        if not areShort(queue) then
            return {}, -1
        end
    else
        for i = 1, math.min(length, most) do
            queue[i] = call('LINDEX', key, i - 1)
            if #queue[i] > LongestElement then
                return {}, -1
            end
        end
    end
    elements = elements + 2 * #queue
    return queue, length
end

local function fairQueue(base, most)
    local timeouts = 'redisson_lock_timeout:' .. base
    local queue, length = waitersOf('redisson_lock_queue:' .. base, most)
    local first = ask('ZRANGE', timeouts, 0, 0)
    local deadlines = {}
    if #queue > 0 and first and first[1] then
        deadlines = call('ZMSCORE', timeouts, unpack(queue))
    end
    return queue, length, deadlines, first and areShort(first) and first[1] or false
end

local function tokenOf(base)
    return ask('GETRANGE', 'redisson_lock_token:' .. base, 0, LongestElement)
end

-- Time left of each read hold; empty for a reader with more holds than are looked at. And whether there was one.
local function readHolds(base, fields, most)
    local holds, left, isWhole = {}, most, true
    for i = 1, #fields, 2 do
        local count = find(fields[i + 1], '^%d%d?%d?%d?$') and tonumber(fields[i + 1]) or 0
        if fields[i] ~= 'mode' and not find(fields[i], ':write', 1, true) then
            if count <= left then
                left = left - count
                elements = elements + count
                local times = {}
                for hold = 1, count do
                    times[hold] = call('PTTL', base .. ':' .. fields[i] .. ':rwlock_timeout:' .. hold)
                end
                holds[#holds + 1] = { fields[i], times }
            else
                isWhole = false
            end
        end
    end
    return holds, isWhole
end

local function isGroup(fields)
    for i = 1, #fields, 2 do
        if #fields[i] == 22 or byte(fields[i], 23) == 58 then
            return true
        end
    end
    return false
end

local function hasMode(fields)
    for i = 1, #fields, 2 do
        if fields[i] == 'mode' then
            return true
        end
    end
    return false
end

-- What is too long for a lock is told by how it begins: it is known by that for no part of one.
local function shorten(elements)
    for i, element in ipairs(elements) do
        if #element > LongestElement then
            elements[i] = string.sub(element, 1, 32) .. '…'
        end
    end
end

-- { PTTL, field, value, … }: there is no other key. So it is with nearly all, and one table of one list is least to tell.
local function alone(fields, ttl)
    table.insert(fields, 1, ttl)
    return fields
end

-- False: no lock; 'unread': too large, so that it is not known. Not more than so many of anything are looked at, and second
-- comes whether that was all. A sweep leaves what takes time, and what nobody could take for a lock who has not seen it
-- as one. It knows a field of the hash already, which mostly is the only one.
local function lookAtHash(name, most, inSweep, known)
    local count = call('HLEN', name)
    if count == 0 then
        return false, true
    end
    local small, beyond = false, 0
    if count <= most then
        small, beyond = isSmall(name, count, inSweep and 0)
    end
    if not small then
        return 'unread', false
    end
    local value = count == 1 and known and call('HGET', name, known) -- a replica counts a field whose time is over
    local fields = value and { known, value } or call('HRANDFIELD', name, count, 'WITHVALUES')
    shorten(fields)
    elements = elements + #fields + beyond / BytesOfAnElement
    if inSweep and #fields == 2 and not find(fields[2], '^%d+$') then
        return false, true
    end
    local ttl, base = call('PTTL', name), braced(name)
    if hasMode(fields) then
        local holds, isWhole = readHolds(base, fields, most)
        return { fields, ttl, {}, 0, {}, false, false, holds, {} }, isWhole
    end
    if #fields > 2 and isGroup(fields) then
        return alone(fields, ttl), true
    end
    -- Refused, or in different slots because of braces that are no tag: one after the other.
    local others = redis.pcall('EXISTS', 'redisson_lock_queue:' .. base, 'redisson_lock_timeout:' .. base,
        'redisson_lock_token:' .. base)
    if others == 0 then
        return alone(fields, ttl), true
    end
    local queue, length, deadlines, first = fairQueue(base, most)
    return { fields, ttl, queue, length, deadlines, first, tokenOf(base), {}, {} }, #queue == length or length == -1
end
