// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// An event from a sensor thread to the event loop.
package enum SensorEvent: Sendable {
    /// An event of one sensor. `run` is the number of its ``SensorStart``: it identifies events of earlier runs.
    case sensor(SensorKind, run: Int, RunEvent)
    /// A call that timed out has returned.
    case responded
    /// The reply to ``SensorCommand/close``: no sensor is open.
    case closed
    /// The reply to ``SensorCommand/scan(request:recentFailures:)``; `outdated` are the kinds whose open sensor was opened
    /// with facts that have changed.
    case scanned(request: Int, SensorList, outdated: Set<SensorKind> = [])
}

/// An event of one sensor, from its opening to its end.
package enum RunEvent: Sendable {
    /// The sensor is open, or its description has changed; `supportsBackpressure` as
    /// ``Accelerometer/supportsBackpressure``.
    case opened(SensorDescription, supportsBackpressure: Bool = false)
    /// The classifier of the accelerometer has changed its answer.
    case decided(ClassifiedSample)
    /// Samples of the accelerometer arrive, but none has been gravity yet; the reason is a message for the user.
    case withoutGravity(reason: String)
    /// The reading of an ambient sensor has changed, or is the first one.
    case read(AmbientReading)
    /// The sensor could not be opened, or failed; it is closed. `sensor` is its id; nil without one. `wasUseful`: it has
    /// delivered enough samples to be worth an early retry.
    case failed(sensor: String?, SensorFailure, wasUseful: Bool = false)
    /// The source has ended, for this reason; it is closed.
    case ended(reason: String)
    /// The sensor is closed, or paused, as requested.
    case stopped
}

extension SensorEvent {
    /// Returns whether a newer event makes this one redundant: only the newest reading of a sensor counts.
    func isReplaced(by newer: SensorEvent) -> Bool {
        guard case .sensor(let kind, _, let event) = self, case .sensor(kind, _, let other) = newer else {
            return false
        }
        return switch (event, other) {
        case (.decided, .decided), (.read, .read): true
        default: false
        }
    }
}

/// A request to open the best sensor of a kind and to read it until it is stopped, fails or ends.
package struct SensorStart: Sendable {
    package var kind: SensorKind
    /// The number of the run, which its events have.
    package var run: Int
    /// Whether a paused recording starts over, and a motion event that failed is tried again.
    package var isFresh = false
    /// The sensors that failed recently, each with the reason: others are tried first.
    package var recentFailures: [SensorID: String] = [:]

    package init(_ kind: SensorKind, run: Int, isFresh: Bool = false, recentFailures: [SensorID: String] = [:]) {
        self.kind = kind
        self.run = run
        self.isFresh = isFresh
        self.recentFailures = recentFailures
    }
}

/// A command from the event loop to a sensor thread.
package enum SensorCommand: Sendable {
    /// Opens the best sensor of a kind; an open one is closed first.
    case start(SensorStart)
    /// Closes the open sensor of a kind; a recording is paused.
    case stop(SensorKind)
    /// Closes the sensors that are open or being opened; ``SensorEvent/closed`` follows when none is open.
    case close
    /// Applies a change of ``AccelerometerMeasurements/motionRate``.
    case update
    /// Lists the sensors; ``SensorEvent/scanned(request:_:outdated:)`` with the same number follows.
    case scan(request: Int, recentFailures: [SensorID: String] = [:])

    /// Returns whether a newer command makes this one redundant.
    func isReplaced(by newer: SensorCommand) -> Bool {
        switch (self, newer) {
        case (.start, .close), (.stop, .close), (.close, .close), (.update, .update): true
        default: startedOrStopped != nil && startedOrStopped == newer.startedOrStopped
        }
    }

    private var startedOrStopped: SensorKind? {
        switch self {
        case .start(let start): start.kind
        case .stop(let kind): kind
        default: nil
        }
    }

    /// The reply if no thread can be started, for this reason; nil without one.
    func refused(_ reason: String) -> SensorEvent? {
        switch self {
        case .start(let start): .sensor(start.kind, run: start.run, .failed(sensor: nil, .failed(reason)))
        case .scan(let request, _): .scanned(request: request, SensorList(failure: .failed(reason)))
        case .close: .closed
        case .stop, .update: nil
        }
    }
}
