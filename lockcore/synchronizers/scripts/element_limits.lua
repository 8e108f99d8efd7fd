-- SPDX-License-Identifier: Apache-2.0
-- How much of a key a script takes: one element may have half a gigabyte. At most one that is too long is fetched before
-- a script turns away from the key, and none is returned.
local LongestElement, LongestName = 256, 32768 -- an owner takes 60 bytes, ports and the fields of faster multi-locks more

local function areShort(elements)
    for _, element in ipairs(elements) do
        if element and #element > LongestElement then
            return false
        end
    end
    return true
end

-- What a hash may take beyond its fields where it is looked at for its own sake: the table of one that has shrunk stays
-- as large as it was while the server writes a snapshot, and after that until another field goes.
local SpareBytes = 1048576

-- In bytes, by so many elements from the first on; 0: by all. Nil: it may not be asked for, or the command has another
-- name, and then asking for the right to it raises.
local function weightOf(name, samples)
    if redis.acl_check_cmd then -- since Redis 7
        local isKnown, isAllowed = pcall(redis.acl_check_cmd, 'MEMORY', 'USAGE', name)
        if not isKnown or not isAllowed then
            return nil
        end
    end
    local bytes = redis.pcall('MEMORY', 'USAGE', name, 'SAMPLES', samples)
    return type(bytes) == 'number' and bytes or nil
end

local function mostBytes(name, count)
    return #name + 4 * LongestElement * (count + 1)
end

-- Whether the first elements of so many may be fetched at once. If not, one after the other: those behind a long one may be
-- long, too.
local function areLight(name, count, first)
    local bytes = weightOf(name, first)
    return bytes ~= nil and bytes <= mostBytes(name, count)
end

-- Whether a hash of so many fields may be fetched as a whole, and how much more it takes than they should. Where that
-- cannot be asked for, it may.
local function isSmall(name, count, spare)
    local bytes = count > 1 and weightOf(name, 0) or 0
    local beyond = math.max(0, bytes - mostBytes(name, count))
    return beyond <= (spare or SpareBytes), beyond
end
