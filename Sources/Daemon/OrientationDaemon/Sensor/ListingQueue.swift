// SPDX-License-Identifier: Apache-2.0

/// Decides when the sensors are scanned for clients: one scan at a time, at most one per second, whose result all
/// clients receive that called before it began. A scan opens every sensor and queries udev.
///
/// Times are in seconds.
struct ListingQueue<Client> {
    /// The interval between the starts of two scans, in seconds.
    static var interval: Double { 1.0 }

    enum Step: Equatable {
        case scan
        /// Call ``timerFired(at:)`` after this many seconds.
        case wait(Double)
        /// A scan is pending, the timer runs, or no client waits.
        case nothing
    }

    private var waiting: [Int: Client] = [:]
    private var scannedFor: [Int: Client] = [:]
    private var isScanning = false
    private var isTimerRunning = false
    private var began = -Double.infinity

    /// Adds a client with a unique id.
    mutating func add(_ client: Client, id: Int, at now: Double) -> Step {
        waiting[id] = client
        return next(at: now)
    }

    /// Removes a client that has disconnected.
    mutating func remove(_ id: Int) {
        waiting[id] = nil
        scannedFor[id] = nil
    }

    /// Handles the timer of the last `wait`.
    mutating func timerFired(at now: Double) -> Step {
        isTimerRunning = false
        return next(at: now)
    }

    /// Handles the end of the pending scan; returns the clients to answer.
    mutating func finish(at now: Double) -> (answered: [Client], next: Step) {
        isScanning = false
        let answered = scannedFor.sorted { $0.key < $1.key }.map(\.value)
        scannedFor = [:]
        return (answered, next(at: now))
    }

    private mutating func next(at now: Double) -> Step {
        guard !isScanning, !isTimerRunning, !waiting.isEmpty else { return .nothing }
        let wait = began + Self.interval - now
        guard wait <= 0 else {
            isTimerRunning = true
            return .wait(wait)
        }
        began = now
        isScanning = true
        scannedFor = waiting
        waiting = [:]
        return .scan
    }
}
