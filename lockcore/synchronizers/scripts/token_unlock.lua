-- SPDX-License-Identifier: Apache-2.0
-- Gives back a lock of the kind that other libraries write: deletes it if it has the token.
-- KEYS: lock, latch. ARGV: token, the latch's time to live, with a third only if one is held beyond so many.
-- Returns the holds left to the owner. A list: it does not hold it; whose token is there stands in a list of its own,
-- since that is no owner to be taken apart.
--include element_limits.lua
--include token_part.lua
local call = redis.call
local lock, latch = KEYS[1], KEYS[2]
local token, latchTtl, keep = ARGV[1], ARGV[2], tonumber(ARGV[3])

local held = isHeldWith(lock, token) and 1 or 0
if call('EXISTS', latch) == 1 then
    return held
end
if keep and held <= keep then
    call('SET', latch, 0, 'PX', latchTtl)
    return held
end
if held == 0 then
    local other = call('GETRANGE', lock, 0, LongestElement - 1)
    return other ~= '' and { { other } } or {}
end
call('SET', latch, 1, 'PX', latchTtl) -- first: a user who may not write it is refused before anything has changed
call('DEL', lock)
return 0
