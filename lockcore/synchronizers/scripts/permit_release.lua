-- SPDX-License-Identifier: Apache-2.0
-- Gives permits back, all or none.
-- KEYS: semaphore, deadlines, channel. ARGV: publish command, then each permit as bytes and as text.
-- Returns 1, or 0 when one of them is not held any more. One alone that has run out, but was not taken back yet, is given
-- back all the same.
--include clock_part.lua
--include permit_part.lua
local call = redis.call
local semaphore, deadlines, channel = KEYS[1], KEYS[2], KEYS[3]
local publish, now = ARGV[1], serverTime()

local _, refusal = number(semaphore)
if refusal then
    return refusal
end
local alone = #ARGV == 3
local permits, held = {}, 1
for i = 2, #ARGV, 2 do
    local permit, deadline = find(deadlines, ARGV[i], ARGV[i + 1])
    if permit and deadline <= now then
        held = 0
    end
    if not permit or held == 0 and not alone then
        return 0
    end
    permits[#permits + 1] = permit
end

if not alone then
    reclaim(semaphore, deadlines, now, math.huge)
end
local removed = 0
for _, permit in ipairs(permits) do
    removed = removed + call('ZREM', deadlines, permit)
end
tell(publish, channel, call('INCRBY', semaphore, removed))
return held
