// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// What the sensor thread tells the loop. `run` is the number that ``SensorThread/start(_:run:)`` was given, so that what
/// an earlier run still says can be told apart.
package enum SensorEvent: Sendable {
    /// The source is open, or what is said of it has changed; `keepsReadersPace` as ``Accelerometer/keepsReadersPace``.
    case opened(run: Int, SensorDescription, keepsReadersPace: Bool)
    /// The classifier has decided.
    case decided(run: Int, Attitude)
    /// The source is closed again; it could not be opened, or it failed.
    case failed(run: Int, SensorFailure)
    /// The source is closed again; it had an end, and this is why.
    case ended(run: Int, reason: String)
    /// The source is closed again, or paused, as it was asked to be.
    case stopped(run: Int)
    /// The answer to ``SensorThread/close()``: nothing is open, and nothing will be.
    case idle
    /// The answer to ``SensorThread/survey(_:request:)``.
    case surveyed(request: Int, [SensorDescription])
}

/// What the classifier knows after a sample.
package struct Attitude: Hashable, Sendable {
    package var orientation: DeviceOrientation
    package var lastEdge: Edge?
    /// Elevation of the screen's normal in degrees, −90 to 90.
    package var tilt: Double?
    /// How far the screen leans; changes with hysteresis, as the orientation does.
    package var tiltBand: TiltBand?
    /// How far the acceleration was from one g lately, in m/s².
    package var disturbance: Double?
    /// CLOCK_BOOTTIME of the sample, in microseconds.
    package var timestamp: Int64

    package init(
        orientation: DeviceOrientation, lastEdge: Edge? = nil, tilt: Double? = nil, tiltBand: TiltBand? = nil,
        disturbance: Double? = nil, timestamp: Int64
    ) {
        self.orientation = orientation
        self.lastEdge = lastEdge
        self.tilt = tilt
        self.tiltBand = tiltBand
        self.disturbance = disturbance
        self.timestamp = timestamp
    }

    init(_ run: SensorRun, timestamp: Int64) {
        let classifier = run.classifier
        self.init(
            orientation: classifier.orientation, lastEdge: classifier.lastEdge, tilt: classifier.tilt,
            tiltBand: run.tilt.band, disturbance: classifier.disturbance, timestamp: timestamp)
    }
}
