-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that act on locks of others. Answers are { status, published, fields and values of the hash },
-- those about queues have the waiters behind.
local function answer(status, published, fields, waiters)
    return { status, published, fields, waiters }
end

-- An answer that refuses what is no lock, or nil and the fields and values of the hash.
local function look(lock)
    local kind = redis.call('TYPE', lock).ok
    if kind ~= 'none' and (kind ~= 'hash' or redis.call('HLEN', lock) > 1000) then
        return answer('unlike', 0, {})
    end
    return nil, redis.call('HGETALL', lock)
end

-- An answer that refuses, or nil and the holders' fields when they are those expected (ARGV from "first" on).
-- The mode field of a read/write lock is none of them.
local function guard(lock, first, readWrite)
    local refused, fields = look(lock)
    if refused then
        return refused
    end
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
