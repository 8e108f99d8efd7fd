-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of semaphores and latches. The number in a key, nil when there is no key; or nil and the
-- refusal to be returned when the key is something else.
local function number(key)
    local text = redis.call('GET', key)
    if not text then
        return nil
    end
    if not string.find(text, '^%-?%d+$') then
        return nil, redis.error_reply('WRONGTYPE the key holds no number')
    end
    return tonumber(text)
end

-- Waiters take what they are told for a number of free permits: never less than one.
local function tell(publish, channel, free)
    if tonumber(free) > 0 then
        redis.call(publish, channel, free)
    end
end
