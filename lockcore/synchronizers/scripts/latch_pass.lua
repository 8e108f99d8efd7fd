-- SPDX-License-Identifier: Apache-2.0
-- Looks whether a latch is open.
-- KEYS: latch. Returns nil: open. Otherwise -1: nobody knows when it will be.
--include counter_part.lua
local count, refusal = number(KEYS[1])
if refusal then
    return refusal
end
if count and count > 0 then
    return -1
end
return nil
