-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that act on strings that others hold by a token.
--include force_part.lua
-- An answer that refuses; or nil, and the token as found when it is the one expected: the last of ARGV, and the only one
-- from "first" on. In answers it stands in a list of its own, since it is no owner to be taken apart.
local function guardToken(lock, first)
    local kind = redis.call('TYPE', lock).ok
    if kind == 'none' then
        return answer('changed', 0, {})
    end
    if kind ~= 'string' then
        return answer('unlike', 0, {})
    end
    if redis.call('STRLEN', lock) > LongestElement then
        return answer('unread', 0, {})
    end
    local token = redis.call('GET', lock)
    local found = { { token }, '1' }
    if #ARGV ~= first or ARGV[first] ~= token then
        return answer('changed', 0, found)
    end
    return guardEnd(lock, found), found
end
