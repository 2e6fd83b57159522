// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The event loop's handle for a sensor thread, the only thread that waits for the sensors of its group.
///
/// The thread exists only while it has work. Every method returns at once: a read that hangs blocks the thread, never
/// the caller. Events are read with ``takeEvents(limit:)`` when ``descriptor`` is readable.
package final class SensorThread {
    private let exchange: SensorExchange
    private let table: SensorTable
    private let facts: @Sendable () -> HardwareFacts

    /// The timeout for a call to a sensor, in seconds.
    package static let longestCall = 5.0

    /// Creates the handle without starting a thread. A call that takes more than `longestCall` seconds counts as hung.
    /// `facts` runs on the thread before sensors are listed or opened: facts from udev need blocking calls.
    package init(
        _ table: SensorTable, longestCall: Double = SensorThread.longestCall,
        facts: @escaping @Sendable () -> HardwareFacts = { HardwareFacts() }
    ) throws(SensorFailure) {
        self.table = table
        self.facts = facts
        exchange = try SensorExchange(name: table.group.threadName, longestCall: longestCall)
    }

    /// Readable while events or samples for motion subscribers are pending.
    package var descriptor: Int32 { exchange.descriptor }

    /// Readable when a call may have timed out, until ``acknowledgeHang()``.
    package var hangDescriptor: Int32 { exchange.hangDescriptor }

    /// Clears ``hangDescriptor``; returns whether a call hangs.
    package func acknowledgeHang() -> Bool { exchange.acknowledgeHang() }

    /// The number of events dropped so far because the event loop was late.
    package var droppedCount: Int64 { exchange.droppedCount }

    /// Returns and removes the oldest events, at most `limit`.
    package func takeEvents(limit: Int) -> [SensorEvent] { exchange.takeEvents(limit: limit) }

    /// Opens the best sensor of a kind; an open one is closed first.
    package func start(_ start: SensorStart) { submit(.start(start)) }

    /// Closes the open sensor of a kind; a recording is paused.
    package func stop(_ kind: SensorKind) { submit(.stop(kind)) }

    /// Closes the sensors that are open or being opened; ``SensorEvent/idle`` follows when none is open.
    package func close() { submit(.close) }

    /// Applies a change of ``AccelerometerMeasurements/motionRate``.
    package func update() { submit(.update) }

    /// Lists the sensors; ``SensorEvent/scanned(request:_:outdated:)`` with the same number follows.
    package func scan(request: Int, recentFailures: [SensorID: String] = [:]) {
        submit(.scan(request: request, recentFailures: recentFailures))
    }

    private func submit(_ command: SensorCommand) {
        exchange.post(command) { [exchange, table, facts] in
            SensorWorker(exchange, table, facts: facts).work()
        } refuse: { command, reason in
            switch command {
            case .start(let start): .sensor(start.kind, run: start.run, .failed(sensor: nil, .failed(reason)))
            case .scan(let request, _): .scanned(request: request, [])
            case .close: .idle
            case .stop, .update: nil
            }
        }
    }
}
