// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Runs actors on a dispatch queue, so that handlers of dispatch sources on this queue are isolated to them.
///
/// One serial queue serves all connections of a process: each task takes microseconds, and a thousand monitors need one
/// thread.
final class QueueExecutor: SerialExecutor {
    static let shared = QueueExecutor(label: "org.orientationd.client")

    let queue: DispatchQueue

    private init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Checks the isolation for `assumeIsolated` outside a job, as in the handler of a source.
    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
