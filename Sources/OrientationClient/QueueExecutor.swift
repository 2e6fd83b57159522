// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Runs actors on a dispatch queue, so that the handlers of dispatch sources on this queue are inside them.
///
/// One serial queue serves all connections of a process: what they do takes microseconds, and a thousand monitors then
/// need no more than one thread at a time.
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

    /// What `assumeIsolated` asks when no job is running, as in the handler of a source.
    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
