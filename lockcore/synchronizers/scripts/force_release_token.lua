-- SPDX-License-Identifier: Apache-2.0
-- Frees a lock that another library holds, if the token is the one expected. Nobody is told: who waits asks again.
-- KEYS: lock. ARGV: last moment, expected token.
-- Returns { "done", "changed", "anew", "unlike", "unread", "late" or "refused", 0, token as found and 1 }.
--include force_token_part.lua
local refused, found = guardToken(KEYS[1], 2)
if refused then
    return refused
end
refused = carryOut(function(call)
    call('DEL', KEYS[1])
end)
return refused or answer('done', 0, found)
