-- SPDX-License-Identifier: Apache-2.0
-- Reads what a permit has left.
-- KEYS: deadlines. ARGV: deadline of those without lease, the permit as bytes and as text.
-- Returns -1: no lease; -2: not held any more.
--include clock_part.lua
--include permit_part.lua
local never, bytes, text = unpack(ARGV)
local now = serverTime()
local permit, deadline = find(KEYS[1], bytes, text)
if not permit or deadline <= now then
    return -2
end
return deadline >= tonumber(never) and -1 or deadline - now
