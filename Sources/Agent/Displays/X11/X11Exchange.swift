// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// Requests of the event loop to the thread of an ``X11Server``, and its events to the loop.
///
/// Unchecked: the mutable properties are accessed while holding the lock only.
final class X11Exchange: @unchecked Sendable {
    /// What the thread does next.
    enum Step: Hashable {
        /// Outdated if outputs were posted that the loop had not taken when it requested the configuration.
        case apply([Output], isOutdated: Bool)
        case alignInput(to: String)
        case readEvents
        /// The loop has not taken the last events. Nothing is read until then, to bound the memory.
        case wait
    }

    private let lock = Lock()
    private let forLoop: WakeSignal
    private let forThread: WakeSignal
    /// The newest requests: the thread may wait for the server for long, and then needs no others.
    private var configuration: (outputs: [Output], known: Int)?
    private var panel: String?
    private var events: [DisplayEvent] = []
    /// The number of times that outputs were posted, and of those that the loop has taken.
    private var postedOutputs = 0
    private var takenOutputs = 0
    /// The descriptor of the connection, while it is open.
    private var connection: Int32?
    private var isStopped = false

    init() throws(Errno) {
        forLoop = try WakeSignal()
        forThread = try WakeSignal()
    }
}

// MARK: For the event loop

extension X11Exchange {
    /// Readable while there are events.
    var descriptor: Int32 { forLoop.descriptor }

    /// Requests a configuration, which replaces one that has not begun.
    func apply(_ outputs: [Output]) {
        lock.withLock {
            configuration = (outputs, takenOutputs)
            forThread.set()
        }
    }

    /// Requests that input devices are mapped to an output.
    func alignInput(to name: String) {
        lock.withLock {
            panel = name
            forThread.set()
        }
    }

    /// Returns the events, and removes them.
    func takeEvents() -> [DisplayEvent] {
        lock.withLock {
            defer { events = [] }
            takenOutputs = postedOutputs
            forLoop.clear()
            forThread.set()
            return events
        }
    }

    /// Waits for the first event, and returns it without removing it; nil if the timeout passed.
    func firstEvent(within seconds: Double) -> DisplayEvent? {
        forLoop.wait(seconds: seconds)
        return lock.withLock { events.first }
    }

    /// Ends the thread: closes its connection, also if it is made later. Does not wait.
    func stop() {
        lock.withLock {
            isStopped = true
            events = []
            // The thread closes the descriptor, after its calls have returned.
            if let connection { shutdown(connection, Int32(SHUT_RDWR)) }
            forThread.set()
        }
    }
}

// MARK: For the thread

extension X11Exchange {
    /// Returns whether the connection is wanted.
    func connected(_ descriptor: Int32) -> Bool {
        lock.withLock {
            if !isStopped { connection = descriptor }
            return !isStopped
        }
    }

    /// The thread closes the connection next.
    func disconnecting() { lock.withLock { connection = nil } }

    func nextStep() -> Step {
        lock.withLock {
            forThread.clear()
            if let panel {
                self.panel = nil
                return .alignInput(to: panel)
            }
            if let (outputs, known) = configuration {
                configuration = nil
                return .apply(outputs, isOutdated: known < postedOutputs)
            }
            return events.isEmpty ? .readEvents : .wait
        }
    }

    /// Posts an event. The result of a configuration is dropped if the loop has requested another one meanwhile: results do
    /// not name their configuration.
    func post(_ event: DisplayEvent) {
        lock.withLock {
            if !isStopped, !event.isResult || configuration == nil { events.append(event) }
            if case .outputs = event { postedOutputs += 1 }
            forLoop.set()
        }
    }

    /// Waits for another step, or until the descriptor is readable.
    func wait(for descriptor: Int32? = nil) {
        forThread.wait(or: descriptor.map { [$0] } ?? [], seconds: nil)
    }
}

extension DisplayEvent {
    fileprivate var isResult: Bool {
        switch self {
        case .applied, .failed, .outdated: true
        default: false
        }
    }
}
