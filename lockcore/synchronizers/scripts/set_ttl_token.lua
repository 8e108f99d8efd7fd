-- SPDX-License-Identifier: Apache-2.0
-- Sets the time that a lock which another library holds has left, if the token is the one expected.
-- KEYS: lock. ARGV: last moment, time to live, expected token.
-- Returns { "done", "changed", "anew", "unlike", "unread", "late" or "refused", 0, token as found and 1 }.
--include force_token_part.lua
local refused, found = guardToken(KEYS[1], 3)
if refused then
    return refused
end
refused = carryOut(function(call)
    call('PEXPIRE', KEYS[1], ARGV[2])
end)
return refused or answer('done', 0, found)
