-- SPDX-License-Identifier: Apache-2.0
-- The time of the server that keeps a lock. KEYS: lock.
--include clock_part.lua
return serverTime()
