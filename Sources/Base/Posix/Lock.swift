// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A mutual-exclusion lock: a `pthread_mutex_t` at a stable address.
///
///     let count = lock.withLock { events.count }
///
/// Used instead of `Synchronization.Mutex`, for which ThreadSanitizer reports false data races (it does not know the
/// futex calls). Not recursive: locking it again in `body` deadlocks.
package final class Lock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while holding the lock, and returns its result.
    package func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
