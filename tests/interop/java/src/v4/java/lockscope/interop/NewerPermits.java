// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/** What came after 3.16.8: several permits in one step. */
final class NewerPermits {
    boolean releaseIfExists(RSemaphore semaphore, int permits) {
        return semaphore.releaseIfExists(permits);
    }

    String resize(RPermitExpirableSemaphore semaphore, int permits) {
        semaphore.setPermits(permits);
        return "ok";
    }

    String acquire(RPermitExpirableSemaphore semaphore, int permits, long lease, long wait) throws InterruptedException {
        List<String> ids;
        if (wait == Arguments.ABSENT) {
            ids = lease == Arguments.ABSENT ? semaphore.acquire(permits)
                : semaphore.acquire(permits, lease, TimeUnit.MILLISECONDS);
        } else if (wait == 0 && lease == Arguments.ABSENT) {
            ids = semaphore.tryAcquire(permits);
        } else {
            ids = semaphore.tryAcquire(permits, wait, lease, TimeUnit.MILLISECONDS);
        }
        return ids == null || ids.isEmpty() ? "refused" : "acquired " + String.join(",", ids);
    }

    boolean release(RPermitExpirableSemaphore semaphore, String[] ids) {
        return ids.length == 1 ? semaphore.tryRelease(ids[0]) : semaphore.tryRelease(List.of(ids)) == ids.length;
    }
}
