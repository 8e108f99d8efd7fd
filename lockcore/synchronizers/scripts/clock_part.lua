-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that compare deadlines with the time or set some. The deadlines of one lock are written by many
-- clients and are compared with each other: the clock of the server that keeps the lock is the one that all of them share,
-- and a client whose own clock is wrong harms nobody. In milliseconds since the epoch.
local function serverTime()
    if redis.replicate_commands then -- before Redis 5 a script that asked for the time may write only then
        redis.replicate_commands()
    end
    local time = redis.call('TIME')
    return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
