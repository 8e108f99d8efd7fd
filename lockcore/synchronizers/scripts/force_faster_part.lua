-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that act on groups of values that others hold.
--include force_part.lua
--include faster_part.lua
local function isHash(field)
    return #field == 22 and string.find(field, '^[%w+/]+$')
end

local function isDetail(field)
    local detail = isHash(string.sub(field, 1, 22)) and string.match(field, '^:.*:([a-z_]+)$', 23)
    return detail == 'expire_time' or detail == 'lock_count'
end

-- An answer that refuses; or nil, the owners with their counts when they are those expected (ARGV from "first" on), and
-- the fields and values of the group.
local function guardGroup(group, first)
    local refused, fields = look(group)
    if refused then
        return refused
    end
    local counts, found = {}, {}
    for i = 1, #fields, 2 do
        local hash, owner = fields[i], fields[i + 1]
        if isHash(hash) then
            if not counts[owner] then
                counts[owner] = 0
                found[#found + 1] = owner
            end
            counts[owner] = math.max(counts[owner], fieldNumber(group, count(hash, owner)))
        elseif not isDetail(hash) then -- another program wrote it; it goes with the group
            counts[hash] = owner
            found[#found + 1] = hash
        end
    end
    local owners, missing = {}, #ARGV - first + 1
    for _, owner in ipairs(found) do
        owners[#owners + 1] = owner
        owners[#owners + 1] = tostring(counts[owner])
        for i = first, #ARGV do
            missing = missing - (ARGV[i] == owner and 1 or 0)
        end
    end
    if missing ~= 0 or #found ~= #ARGV - first + 1 then
        return answer('changed', 0, owners)
    end
    return nil, owners, fields
end
