-- SPDX-License-Identifier: Apache-2.0
-- Counts permits. What has run out counts as free, and is left for those who write to take back.
-- KEYS: semaphore, deadlines. ARGV: "free", "held" or "all".
--include clock_part.lua
--include permit_part.lua
local semaphore, deadlines = KEYS[1], KEYS[2]
local what = ARGV[1]

local free, refusal = number(semaphore)
if refusal then
    return refusal
end
local over, all = redis.call('ZCOUNT', deadlines, 0, serverTime()), redis.call('ZCARD', deadlines)
if what == 'held' then
    return all - over
end
return (free or 0) + (what == 'free' and over or all)
