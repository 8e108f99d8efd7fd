// SPDX-License-Identifier: GPL-3.0-or-later
package lockscope.interop;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/** What Redisson 3.16.8 has of them: one permit at a time. */
final class NewerPermits {
    boolean releaseIfExists(RSemaphore semaphore, int permits) {
        throw new UnsupportedOperationException("releaseIfExists");
    }

    String resize(RPermitExpirableSemaphore semaphore, int permits) {
        throw new UnsupportedOperationException("setPermits");
    }

    String acquire(RPermitExpirableSemaphore semaphore, int permits, long lease, long wait) throws InterruptedException {
        if (permits != 1) {
            throw new UnsupportedOperationException("several permits at once");
        }
        String id;
        if (wait == Arguments.ABSENT) {
            id = lease == Arguments.ABSENT ? semaphore.acquire() : semaphore.acquire(lease, TimeUnit.MILLISECONDS);
        } else {
            id = lease == Arguments.ABSENT ? semaphore.tryAcquire(wait, TimeUnit.MILLISECONDS)
                : semaphore.tryAcquire(wait, lease, TimeUnit.MILLISECONDS);
        }
        return id == null ? "refused" : "acquired " + id;
    }

    boolean release(RPermitExpirableSemaphore semaphore, String[] ids) {
        if (ids.length != 1) {
            throw new UnsupportedOperationException("several permits at once");
        }
        return semaphore.tryRelease(ids[0]);
    }
}
