-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that act on locks of others. Answers are { status, published, fields and values of the hash },
-- those about queues have the waiters behind; when the status is "refused" or "partly" the server's words come last,
-- when it is "anew" of a lock the moment at which that ends, if it does. It is "unread" where the hash is too large.
-- ARGV[1] of each is the last moment at which it may be done, by the server's clock. What was asked for before that, and
-- comes after it, is a copy that lay somewhere on its way: nobody waits for its answer any more, and the holder whom the
-- person saw may hold the lock anew. Behind it may stand between which moments the lock has to end, and from which on it may end as well, or "never".
--include clock_part.lua
--include element_limits.lua
local function answer(status, published, fields, waiters, words)
    return { status, published, fields, waiters or {}, words }
end

-- An answer that refuses what is no lock, or is too large to be read as one; or nil and the fields and values of the hash.
local function look(lock)
    local kind = redis.call('TYPE', lock).ok
    if kind ~= 'none' and kind ~= 'hash' then
        return answer('unlike', 0, {})
    end
    local count = kind == 'hash' and redis.call('HLEN', lock) or 0
    local fields = count <= 1000 and isSmall(lock, count) and redis.call('HGETALL', lock)
    if not fields or not areShort(fields) then
        return answer('unread', 0, {})
    end
    return nil, fields
end

-- Whether one of these is an owner with a number of holds: there is one in each lock that has no mode, whatever else was
-- written into it.
local function hasHold(fields)
    for i = 1, #fields, 2 do
        if string.find(fields[i], '^%x+%-%x+%-4%x+%-[89ab]%x+%-%x+:') and string.find(fields[i + 1], '^%d+$') then
            return true
        end
    end
    return false
end

-- An answer that refuses a lock which does not end when it was seen to; or nil. Whoever takes a lock anew sets its end,
-- and nothing else tells one hold of an owner from the next.
local function guardEnd(lock, fields)
    local never = string.find(ARGV[1], ' never$')
    local first, last, renewed = string.match(ARGV[1], ' (%d+) (%d+) ?(%d*)$')
    if not never and not first then
        return nil
    end
    local left = redis.call('PTTL', lock)
    local ends = left >= 0 and serverTime() + left or nil
    if never or not ends then
        return not (never and not ends) and answer('anew', 0, fields, {}, ends) or nil
    end
    local asSeen = ends >= tonumber(first) and ends <= tonumber(last)
    local asRenewed = renewed ~= '' and ends >= tonumber(renewed)
    return not (asSeen or asRenewed) and answer('anew', 0, fields, {}, ends) or nil
end

-- An answer that refuses, or nil and the holders' fields when they are those expected (ARGV from "first" on).
-- The mode field of a read/write lock is none of them; in another lock it is as strange as any.
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
        if fields[i] == 'mode' and not expected.mode then
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
    if not (hasMode or hasHold(fields)) then
        return answer('unlike', 0, {})
    end
    return guardEnd(lock, fields), fields
end

-- Runs "deed" with a function to call the server by: all of it or, as far as the server can tell before, nothing. Returns
-- nil, or an answer that says what became of it. A script does this last, and a deed publishes first: who is woken for
-- nothing sleeps again.
local function carryOut(deed)
    if serverTime() > tonumber(string.match(ARGV[1], '^%d+')) then
        return answer('late', 0, {})
    end
    local changed = false
    local function isMessage(command)
        return string.find(command, 'PUBLISH', 1, true)
    end
    local refused = {} -- all of it is told at once
    local function ask(command, name, ...)
        local what = command .. (isMessage(command) and ' to ' or ' of ') .. name
        if not redis.acl_check_cmd(command, name, ...) and not refused[what] and #refused < 10 then
            refused[what], refused[#refused + 1] = true, what
        end
    end
    local function askForAll()
        deed(ask)
        if #refused > 0 then
            error('NOPERM this user is refused ' .. table.concat(refused, ', '), 0)
        end
    end
    local function act(command, ...)
        local reply = redis.pcall(command, ...)
        if type(reply) == 'table' and reply.err then
            error(reply.err, 0)
        end
        changed = changed or not isMessage(command)
    end
    local function actForAll()
        deed(act)
    end
    for _, step in ipairs(redis.acl_check_cmd and { askForAll, actForAll } or { actForAll }) do -- since Redis 7
        local went, words = pcall(step)
        if not went then
            return answer(changed and 'partly' or 'refused', 0, {}, {}, words)
        end
    end
    return nil
end
