-- SPDX-License-Identifier: Apache-2.0
-- Reads a semaphore or a latch.
-- KEYS: counter. Returns its value; 0: also when there is none.
--include counter_part.lua
local value, refusal = number(KEYS[1])
return refusal or value or 0
