-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that release by force. Answers are { status, published, fields and values of the hash }.
local function answer(status, published, fields)
    return { status, published, fields }
end

-- An answer that refuses, or nil and the holders' fields when they are those expected (ARGV from "first" on).
-- The mode field of a read/write lock is none of them.
local function guard(lock, first, readWrite)
    local kind = redis.call('TYPE', lock).ok
    if kind ~= 'none' and (kind ~= 'hash' or redis.call('HLEN', lock) > 1000) then
        return answer('unlike', 0, {})
    end
    local fields = redis.call('HGETALL', lock)
    local expected, missing = {}, 0
    for i = first, #ARGV do
        expected[ARGV[i]] = true
        missing = missing + 1
    end
    local hasMode = false
    for i = 1, #fields, 2 do
        if fields[i] == 'mode' then
            hasMode = true
        elseif expected[fields[i]] then
            missing = missing - 1
        else
            return answer('changed', 0, fields)
        end
    end
    if missing ~= 0 or hasMode ~= readWrite then
        return answer('changed', 0, fields)
    end
    return nil, fields
end
