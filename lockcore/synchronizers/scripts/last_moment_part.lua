-- SPDX-License-Identifier: Apache-2.0
-- Included first by the scripts that take something. ARGV[1] of each is the last moment at which it may, by the server's
-- clock; empty, or where this user may not ask for the time: at any time. What comes later is a copy that lay somewhere on
-- its way: nobody waits for its answer any more, and what it took nobody would give back. Returns the status LATE with the
-- server's time then, which tells a client whose idea of that clock is wrong what to go by.
--include clock_part.lua
if ARGV[1] ~= '' then
    local may, came = pcall(serverTime)
    if may and came > tonumber(ARGV[1]) then
        return redis.status_reply('LATE ' .. string.format('%.0f', came))
    end
end
