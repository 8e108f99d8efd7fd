-- SPDX-License-Identifier: Apache-2.0
-- Whether a hash that has this field, any one of its fields, may be a lock. Every field of a lock passes; the reader
-- of the whole hash decides. Runs for each hash of the database: the short fields of ordinary hashes go first.
--include element_limits.lua
local find, byte = string.find, string.byte
local function mayBeLock(field)
    local length = #field
    if length > LongestElement then
        return false
    end
    if length < 38 then
        return field == 'mode' or length == 22 and find(field, '^[%w+/]+$') ~= nil
    end
    local owner = byte(field, 23) == 58 and 24 or 1
    return find(field, '^%x+%-%x+%-4%x+%-[89ab]%x+%-%x+:', owner) ~= nil
end

-- Whether an error says that another node of the cluster keeps the key, or will soon.
local function isElsewhere(raised)
    local text = type(raised) == 'table' and raised.err or raised
    return type(text) == 'string' and find(text, 'non local key', 1, true) ~= nil
end
