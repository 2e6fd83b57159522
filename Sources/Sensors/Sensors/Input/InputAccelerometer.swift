// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// An accelerometer that the kernel presents as an input device.
///
/// A device at rest causes hardly any wake-ups, because the kernel sends an event when a value changes. Between events
/// the last values are repeated: the classifier needs samples until a turn is complete.
final class InputAccelerometer: Accelerometer {
    /// Units per g of an axis without a resolution, as in iio-sensor-proxy; the actual number is measured.
    static let usualResolution: Int32 = 256
    /// The codes of ABS_X, ABS_Y and ABS_Z.
    static let codes: [UInt] = [0, 1, 2]

    let info: SensorDescription
    let supportsBackpressure = false
    let statesScale: Bool
    let conversion: Conversion

    private let node: EventNode
    private let frame: DeviceFrame
    private let scale: [Double]
    private var raw: [Double]
    private var pace = PollingPace()
    private var motionRate: Double?
    /// The time before which queued events are not read.
    private var earliest = -Double.infinity
    /// The time of the next sample without an event.
    private var due = -Double.infinity

    init(_ info: SensorDescription, node: EventNode, axes: [EventNode.AbsoluteAxis], frame: DeviceFrame) {
        self.node = node
        self.frame = frame
        raw = axes.map { Double($0.value) }
        scale = axes.map { Acceleration.standardGravity / Double(Self.resolution(of: $0)) }
        conversion = Conversion(scale: scale, offset: [0, 0, 0], sense: "specific force")
        var info = info
        let units = axes.map { "\(Self.resolution(of: $0))" }
        statesScale = axes.allSatisfy { $0.resolution > 0 }
        info.method =
            "events of the input device; \(units.joined(separator: ", ")) units per g"
            + (statesScale ? "" : " assumed: the driver states no resolution")
        self.info = info
    }

    private static func resolution(of axis: EventNode.AbsoluteAxis) -> Int32 {
        axis.resolution > 0 ? axis.resolution : usualResolution
    }

    var lastRaw: RecordedSample.Raw? { RecordedSample.Raw(x: raw[0], y: raw[1], z: raw[2]) }

    func setMotionRate(_ rate: Double?) {
        motionRate = rate
        (earliest, due) = (-.infinity, -.infinity)
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= earliest else { return .pause(seconds: earliest - now) }
        let hasChanged = try readEvents()
        guard hasChanged || now >= due else {
            return .awaitInput(descriptor: node.descriptor, seconds: due - now)
        }
        // Before the first measurement the kernel reports zeros.
        guard raw != [0, 0, 0] else {
            due = now + PollingPace.restingInterval
            return .awaitInput(descriptor: node.descriptor, seconds: PollingPace.restingInterval)
        }
        let reading = frame(Acceleration(x: raw[0] * scale[0], y: raw[1] * scale[1], z: raw[2] * scale[2]))
        let interval = pace.interval(after: reading, at: now, motionRate: motionRate)
        let isResting = pace.isResting && motionRate == nil
        due = now + (isResting ? PollingPace.intervalWithEvents : interval)
        // After an unchanged sample no pause precedes the wait for events: it would cost one more wake-up.
        earliest = isResting && !hasChanged ? now : now + interval
        return .sample(Sample(time: now, acceleration: reading))
    }

    /// Reads the queued events; returns whether a value has changed.
    private func readEvents() throws(SensorFailure) -> Bool {
        let former = raw
        var isIncomplete = false
        let isPresent = node.drain { event in
            if event == .dropped { isIncomplete = true }
            guard event.type == EventNode.Event.absolute, Int(event.code) < raw.count else { return }
            raw[Int(event.code)] = Double(event.value)
        }
        guard isPresent else {
            throw .gone("the sensor was disconnected (\(info.id))")
        }
        if isIncomplete {
            for (index, code) in Self.codes.enumerated() {
                if let axis = node.axis(code) { raw[index] = Double(axis.value) }
            }
        }
        return raw != former
    }
}
