-- SPDX-License-Identifier: Apache-2.0
-- Included by the scripts of fair locks. Takes waiters off the head whose time is over, and returns who is head then.
-- One without a deadline stays for ever, as with the peers.
local function purge(queue, deadlines, now)
    local head = redis.call('LINDEX', queue, 0)
    while head do
        local deadline = redis.call('ZSCORE', deadlines, head)
        if not deadline or tonumber(deadline) > now then
            return head
        end
        redis.call('ZREM', deadlines, head)
        redis.call('LPOP', queue)
        head = redis.call('LINDEX', queue, 0)
    end
    return nil
end
