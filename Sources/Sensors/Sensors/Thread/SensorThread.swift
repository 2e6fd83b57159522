// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The event loop's handle for the sensor thread, the only thread that waits for sensors.
///
/// The thread exists only while it has work. Every method returns at once: a read that hangs blocks the thread, never
/// the caller. Events are read with ``takeEvents(limit:)`` when ``descriptor`` is readable.
package final class SensorThread {
    private let mailbox: SensorMailbox

    /// Creates the handle without starting a thread. A call that takes more than `longestCall` seconds counts as hung.
    /// `completing` runs on the thread and adds the facts that need blocking calls to those of each request.
    package init(
        longestCall: Double = SensorThread.longestCall,
        completing: @escaping @Sendable (HardwareFacts) -> HardwareFacts = { $0 }
    ) throws(SensorFailure) {
        mailbox = try SensorMailbox(longestCall: longestCall, completing: completing)
    }

    /// Readable while events are pending.
    package var descriptor: Int32 { mailbox.exchange.descriptor }

    /// The timeout for a call to a source, in seconds.
    package static let longestCall = 5.0

    /// Readable when a call to a source may have exceeded ``longestCall``, until ``acknowledgeHang()``.
    package var hangDescriptor: Int32 { mailbox.exchange.hangDescriptor }

    /// Clears ``hangDescriptor``; returns whether a call hangs.
    package func acknowledgeHang() -> Bool { mailbox.exchange.acknowledgeHang() }

    /// Opens a source and classifies its samples until it is stopped, fails or ends; an open source is closed first.
    /// Its events have the number `run`.
    package func start(_ source: SensorRequest, run: Int) {
        submit(.start(run: run, source))
    }

    /// Closes the open source; a recording is paused.
    package func stop() {
        submit(.stop)
    }

    /// Closes the source that is open or being opened; ``SensorEvent/idle`` follows when none is open.
    package func close() {
        submit(.close)
    }

    /// Delivers samples to ``takeMotion()`` at this rate in hertz, or the highest that the sensor reaches, up to
    /// ``highestRate``; nil stops it.
    package func setMotionRate(_ rate: Double?) {
        submit(.setMotionRate(rate.map { min($0, Self.highestRate) }))
    }

    /// The highest rate for motion subscribers, in hertz: hand motion stays below 20 Hz, and a polled sensor takes up
    /// to three wake-ups per sample.
    package static let highestRate = 200.0

    /// Returns the samples since the last call, with motion subscribers; ``descriptor`` becomes readable for them.
    package func takeMotion() -> [MotionSample] { mailbox.takeMotion() }

    /// The conversion of the open source.
    package var arithmetic: SensorArithmetic { mailbox.currentArithmetic }

    /// Scans the sensors that match a URI; ``SensorEvent/scanned(request:_:)`` with the same number follows.
    package func scan(_ uri: SensorURI, facts: HardwareFacts, request: Int) {
        submit(.scan(request: request, uri, facts))
    }

    /// Returns and removes the oldest events, at most `limit`.
    package func takeEvents(limit: Int) -> [SensorEvent] {
        mailbox.exchange.takeEvents(limit: limit)
    }

    /// The classification of the newest sample of the current run; nil before the first one.
    package var newest: Attitude? { mailbox.newest }

    /// The number of samples classified so far.
    package var sampleCount: Int64 { mailbox.sampleCount }

    /// The number of samples and decisions dropped so far because the event loop was late.
    package var droppedCount: Int64 { mailbox.droppedCount }

    /// The recent sampling rate in hertz; nil without samples.
    package var sampleRate: Double? { mailbox.sampleRate }

    private func submit(_ command: SensorCommand) {
        mailbox.exchange.post(command) { [mailbox] in
            SensorWorker(mailbox: mailbox).work()
        } refuse: { command, reason in
            switch command {
            case .start(let run, _): .failed(run: run, .failed(reason))
            case .scan(let request, _, _): .scanned(request: request, [], isCurrentOutdated: false)
            case .close: .idle
            case .stop, .setMotionRate: nil
            }
        }
    }
}

/// A request to open a source.
package struct SensorRequest: Sendable {
    package var uri: SensorURI
    package var facts: HardwareFacts
    package var settings: ClassifierSettings
    /// Whether a change of the tilt band is an event. Only the SensorProxy service needs it; without it the event would
    /// wake the loop needlessly.
    package var reportsTilt: Bool
    /// Whether a paused recording continues; else it starts over.
    package var mayResume: Bool

    package init(
        uri: SensorURI, facts: HardwareFacts, settings: ClassifierSettings = .standard, reportsTilt: Bool = true,
        mayResume: Bool = true
    ) {
        self.uri = uri
        self.facts = facts
        self.settings = settings
        self.reportsTilt = reportsTilt
        self.mayResume = mayResume
    }
}
