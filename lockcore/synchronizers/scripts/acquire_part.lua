-- SPDX-License-Identifier: Apache-2.0
-- Included by the acquire scripts.
-- The answer to whoever has acquired: nil, or a list of the token. The owner held so many before, and knows of so many.
-- One more is of a try whose answer was lost. If it is something else, it is told: { token or -1, how many more, 0 }.
local function acquired(held, known, token)
    local more = held - (known or held)
    if more < 0 or more > 1 then
        return { token or -1, more, 0 }
    end
    return token and { token } or nil
end
