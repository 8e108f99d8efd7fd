-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts that take read holds from others.
--include read_part.lua
-- Deletes the timeout keys of all these holds; with them, in the first command, the lock (nil: it stays).
local function deleteWithHolds(call, lock, fields, prefix)
    local keys = { lock }
    for i = 1, #fields, 2 do -- the mode is no number
        local holds = tonumber(fields[i + 1]) or 0
        for hold = firstOf(holds), holds do
            keys[#keys + 1] = prefix .. fields[i] .. ':rwlock_timeout:' .. hold
            if #keys == 1000 then -- Lua passes some thousands
                call('DEL', unpack(keys))
                keys = {}
            end
        end
    end
    if #keys > 0 then
        call('DEL', unpack(keys))
    end
end
