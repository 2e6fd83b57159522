// SPDX-License-Identifier: Apache-2.0

/// The event loop's handle for the ambient thread, the only thread that waits for ambient sensors.
///
/// The thread exists only while it has work. Every method returns at once: a read that hangs blocks the thread, never the
/// caller. It is not the thread of the accelerometer, so that a hung light sensor does not stop the rotation.
package final class AmbientThread {
    private let exchange: ThreadExchange<AmbientCommand, AmbientEvent>
    private let setup: AmbientSetup

    /// Creates the handle without starting a thread. `sources` are the rows, the best one first. `facts` runs on the
    /// thread before each listing of the sensors, and returns the facts from udev, which need blocking calls. A call that
    /// takes more than `longestCall` seconds counts as hung.
    package init(
        _ sources: [AmbientSource], longestCall: Double = SensorThread.longestCall,
        facts: @escaping @Sendable () -> HardwareFacts
    ) throws(SensorFailure) {
        setup = AmbientSetup(sources: sources, facts: facts)
        exchange = try ThreadExchange(name: "ambient", longestCall: longestCall)
    }

    /// Readable while events are pending.
    package var descriptor: Int32 { exchange.descriptor }

    /// Readable when a call may have timed out, until ``acknowledgeHang()``.
    package var hangDescriptor: Int32 { exchange.hangDescriptor }

    /// Clears ``hangDescriptor``; returns whether a call hangs.
    package func acknowledgeHang() -> Bool { exchange.acknowledgeHang() }

    /// Opens the best sensor of a kind and reads it until it is stopped or fails; an open one is closed first. Its events
    /// have the number `run`. Sensors that failed recently, each with the reason, are chosen last.
    package func start(_ kind: AmbientKind, run: Int, recentFailures: [AmbientSensorID: String]) {
        submit(.start(kind, run: run, recentFailures: recentFailures))
    }

    /// Closes the open sensor of a kind.
    package func stop(_ kind: AmbientKind) { submit(.stop(kind)) }

    /// Closes all sensors; ``AmbientEvent/idle`` follows.
    package func close() { submit(.close) }

    /// Lists the sensors; ``AmbientEvent/scanned(request:_:outdated:)`` with the same number follows.
    package func scan(request: Int, recentFailures: [AmbientSensorID: String]) {
        submit(.scan(request: request, recentFailures: recentFailures))
    }

    /// Returns and removes the oldest events, at most `limit`.
    package func takeEvents(limit: Int) -> [AmbientEvent] { exchange.takeEvents(limit: limit) }

    private func submit(_ command: AmbientCommand) {
        exchange.post(command) { [exchange, setup] in
            var worker = AmbientWorker(exchange: exchange, setup: setup)
            worker.work()
        } refuse: { command, reason in
            switch command {
            case .start(let kind, let run, _): .failed(kind, run: run, sensor: nil, .failed(reason))
            case .scan(let request, _): .scanned(request: request, [])
            case .close: .idle
            case .stop: nil
            }
        }
    }
}

/// What the thread reads.
struct AmbientSetup: Sendable {
    let sources: [AmbientSource]
    let facts: @Sendable () -> HardwareFacts
}

/// An event from the ambient thread to the event loop. `run` identifies events of earlier runs.
package enum AmbientEvent: Sendable {
    /// The sensor is open, or is read in another way than before.
    case opened(AmbientDescription, run: Int)
    /// The reading has changed, or is the first one.
    case read(AmbientReading, run: Int)
    /// The sensor could not be opened, or failed; it is closed. `sensor` is its id; nil without one.
    case failed(AmbientKind, run: Int, sensor: String?, SensorFailure)
    /// A call that timed out has returned.
    case responded
    /// The reply to ``AmbientThread/close()``: no sensor is open.
    case idle
    /// The reply to ``AmbientThread/scan(request:recentFailures:)``; `outdated` are the kinds whose open sensor was
    /// opened with facts that have changed.
    case scanned(request: Int, [AmbientDescription], outdated: Set<AmbientKind> = [])
}

extension AmbientEvent: ThreadEvent {
    /// Only the newest reading of a kind counts.
    package func isReplaced(by newer: AmbientEvent) -> Bool {
        if case (.read(let reading, _), .read(let other, _)) = (self, newer) {
            reading.kind == other.kind
        } else {
            false
        }
    }
}

/// A command from the event loop to the ambient thread.
enum AmbientCommand: ThreadCommand {
    case start(AmbientKind, run: Int, recentFailures: [AmbientSensorID: String])
    case stop(AmbientKind)
    case close
    case scan(request: Int, recentFailures: [AmbientSensorID: String])

    func isReplaced(by newer: AmbientCommand) -> Bool {
        switch (self, newer) {
        case (.start(let kind, _, _), .start(let other, _, _)), (.start(let kind, _, _), .stop(let other)),
            (.stop(let kind), .start(let other, _, _)), (.stop(let kind), .stop(let other)):
            kind == other
        case (.start, .close), (.stop, .close), (.close, .close): true
        default: false
        }
    }
}
