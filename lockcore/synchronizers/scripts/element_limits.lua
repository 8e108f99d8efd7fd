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

-- Whether a hash of so many fields may be fetched as a whole. A user without the right to ask gets by without.
local function isSmall(name, count)
    if count < 2 or redis.acl_check_cmd and not redis.acl_check_cmd('MEMORY', 'USAGE', name) then -- since Redis 7
        return true
    end
    local bytes = redis.pcall('MEMORY', 'USAGE', name, 'SAMPLES', 0)
    return type(bytes) ~= 'number' or bytes <= #name + 4 * LongestElement * (count + 1)
end
