// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A sensor that is captured from the device's buffer. Its attribute is read at the start and after each
/// ``checkInterval`` without a scan: a hub sends no scans while the value is constant, and a buffer may never deliver.
final class CapturedSensor: AmbientSensor {
    /// The shortest interval between readings, in seconds: a chip may send more scans than desktops need.
    static let shortestInterval = 0.8
    /// The interval between checks of the attribute, in seconds.
    static let checkInterval = 5.0
    /// The number of consecutive checks that find a change without a scan, after which the buffer is no longer used.
    /// Before the first value, checks that cannot read the attribute count instead.
    static let toleratedMisses = 2
    /// The smallest change that counts as missed, in lux, and as a fraction of the light.
    static let leastLight = 2.0
    static let leastChange = 0.04
    /// The smallest change that counts as missed, in degrees.
    static let leastTurn = 5.0
    /// The rate of scans that is requested, in hertz.
    static let rate = 2.0

    private(set) var info: SensorDescription
    /// Nil if the buffer is no longer used.
    private var capture: (any ScanSource)?
    private var polled: any AmbientSensor
    private let poll: () throws(SensorFailure) -> any AmbientSensor
    private let convert: @Sendable (Double) -> AmbientReading?
    private var last: AmbientReading?
    private var nextCheck = -Double.infinity
    private var missedChanges = 0
    /// Whether the attribute could be read while the buffer is enabled, which some drivers refuse.
    private var isAttributeReadable = false

    /// `polled` reads the attribute; `convert` converts a raw value of a scan. `poll` returns the sensor that replaces this
    /// one if the buffer is not used.
    init(
        _ capture: any ScanSource, polled: any AmbientSensor, convert: @escaping @Sendable (Double) -> AmbientReading?,
        poll: @escaping () throws(SensorFailure) -> any AmbientSensor
    ) {
        self.capture = capture
        self.polled = polled
        self.poll = poll
        self.convert = convert
        info = polled.info
        info.method = "captured from its buffer"
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        let step = try nextStep(at: now)
        guard capture != nil, missedChanges >= Self.toleratedMisses else { return step }
        // First release the buffer: it has other settings.
        capture = nil
        polled = try poll()
        info = polled.info
        return .wait(.none)
    }

    private func nextStep(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        guard let capture else { return try polled.next(at: now) }
        if let raw = try capture.takeNewest() {
            missedChanges = 0
            nextCheck = now + Self.checkInterval
            guard let reading = convert(raw) else {
                throw .failed("\(info.id): invalid value \(raw) in a scan: too large for the scale")
            }
            last = reading
            return .sample(reading, then: .pause(seconds: Self.shortestInterval))
        }
        let reading = now < nextCheck ? nil : check(at: now)
        let wait = SourceWait.input(descriptor: capture.descriptor, seconds: nextCheck - now)
        return reading.map { .sample($0, then: wait) } ?? .wait(wait)
    }

    /// Reads the attribute, to find out whether the buffer misses changes; nil if it cannot be read.
    private func check(at now: Double) -> AmbientReading? {
        // Without any value the sensor is useless: a second check decides soon.
        nextCheck = now + (last == nil ? Self.shortestInterval : Self.checkInterval)
        // Some drivers refuse pread(2) of the attribute while the buffer is enabled.
        guard case .sample(let reading, _)? = try? polled.next(at: now) else {
            if last == nil || isAttributeReadable { missedChanges += 1 }
            return nil
        }
        isAttributeReadable = true
        nextCheck = now + Self.checkInterval
        let isMissed = last.map { !reading.isClose(to: $0) } ?? false
        missedChanges = isMissed ? missedChanges + 1 : 0
        last = reading
        return reading
    }
}

protocol ScanSource: AnyObject {
    /// Readable while a scan is available.
    var descriptor: Int32 { get }
    /// Returns the raw value of the newest scan since the last call; nil if there is none.
    func takeNewest() throws(SensorFailure) -> Double?
}

extension AmbientReading {
    /// Whether another reading differs so little that a hub may not send it.
    fileprivate func isClose(to other: AmbientReading) -> Bool {
        switch (self, other) {
        case (.light(let one, _), .light(let two, _)):
            (one - two).magnitude <= max(CapturedSensor.leastChange * max(one, two), CapturedSensor.leastLight)
        case (.compass(let one), .compass(let two)):
            (one - two).remainder(dividingBy: 360).magnitude <= CapturedSensor.leastTurn
        default: self == other
        }
    }
}
