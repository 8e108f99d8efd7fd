-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of locks that are a string with the token of whoever holds them.
-- Whether it is this token's; a value that cannot be is not fetched. Fails where something else stands under the name.
local function isHeldWith(lock, token)
    return redis.call('STRLEN', lock) == #token and redis.call('GET', lock) == token
end
