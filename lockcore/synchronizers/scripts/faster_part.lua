-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of faster multi-locks. A value that is locked is a field: its hash, with the owner.
local function expiry(hash, owner)
    return hash .. ':' .. owner .. ':expire_time'
end

local function count(hash, owner)
    return hash .. ':' .. owner .. ':lock_count'
end

local function fieldNumber(group, field)
    return tonumber(redis.call('HGET', group, field) or 0)
end
