// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
internal import Recordings
internal import Support

/// The sensor of the simulated device.
final class FakeAccelerometer: Accelerometer {
    /// The sampling rate in hertz: that of a chip in capture mode.
    static let rate = 50.0

    let info: SensorDescription
    let supportsBackpressure = false

    private(set) var lastRaw: RecordedSample.Raw?

    private let device: SimulatedDevice
    private let mount: SimulatedMount?
    private var due = -Double.infinity

    /// Creates a sensor of `device`, which plays `scenario` unless a move controls it. Without a mount the readings are
    /// in the device frame.
    init(_ scenario: Scenario, _ device: SimulatedDevice, mount: SimulatedMount? = nil, natural: Edge? = nil) {
        self.device = device
        self.mount = mount
        info = Self.describe(scenario, natural: natural)
        device.play(scenario, at: BootClock.now())
    }

    /// Describes the sensor of a scenario.
    fileprivate static func describe(_ scenario: Scenario, natural: Edge?) -> SensorDescription {
        SensorDescription(
            id: "fake:\(scenario.name)", name: "simulated device", natural: natural,
            naturalSource: natural.map { _ in "option natural of \(FakeSource.scheme):" })
    }

    var arithmetic: SensorArithmetic {
        guard let mount else { return SensorArithmetic(rate: Self.rate) }
        return SensorArithmetic(
            scale: [1, 1, 1], offset: [0, 0, 0], sense: mount.sense == .gravity ? "HID" : "specific force",
            rate: Self.rate)
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        due = max(due, now - 0.5 / Self.rate) + 1 / Self.rate
        guard let acceleration = try device.reading(at: now) else { return .pause(seconds: 1 / Self.rate) }
        guard let mount else { return .sample(Sample(time: now, acceleration: acceleration)) }
        let reading = mount.chipReads(acceleration)
        lastRaw = RecordedSample.Raw(x: reading.x, y: reading.y, z: reading.z)
        return .sample(Sample(time: now, acceleration: mount.sample(reading)))
    }
}

/// The source `fake:SCENARIO?mount=…&sense=…&natural=…&sensors=…`.
package enum FakeSource {
    /// The scheme of the simulated device.
    package static let scheme = "fake"

    /// The name of the accelerometer in the option `sensors`.
    package static let accelerometer = "accelerometer"

    /// The values of the option `sensors`, separated by plus signs.
    package static let sensors = [accelerometer, "light", "proximity", "compass"]

    /// Returns the sensors of an address: those of the option `sensors`, all without it.
    package static func sensors(of address: String) throws(SensorFailure) -> Set<String> {
        let (options, _) = try split(address)
        guard let text = options["sensors"] else { return Set(sensors) }
        let wanted = text.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        for (index, name) in wanted.enumerated() {
            if !sensors.contains(name) {
                throw .unusable(
                    "\(scheme): sensors: invalid value '\(name)': must be a list of "
                        + "\(sensors.joined(separator: ", ")), joined by +")
            }
            if wanted[..<index].contains(name) {
                throw .unusable("\(scheme): sensors: duplicate value '\(name)': must be given once")
            }
        }
        return Set(wanted)
    }

    private static func hasAccelerometer(_ address: String) throws(SensorFailure) -> Bool {
        try sensors(of: address).contains(accelerometer)
    }

    /// Returns the row for the simulated device `device`.
    package static func row(_ device: SimulatedDevice) -> SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true,
            expected: { address in
                (try? parse(address)).map { FakeAccelerometer.describe($0.0, natural: $0.2) }
            },
            check: { address throws(SensorFailure) in
                _ = try parse(address)
                _ = try sensors(of: address)
            },
            open: { address, _ throws(SensorFailure) in
                let (scenario, mount, natural) = try parse(address)
                guard try hasAccelerometer(address) else {
                    throw .noDevice("the simulated device has no accelerometer, as requested")
                }
                if let absence = device.absence(at: BootClock.now()) { throw absence }
                return FakeAccelerometer(scenario, device, mount: mount, natural: natural)
            },
            scan: { address, _ throws(SensorFailure) in
                guard try hasAccelerometer(address), device.absence(at: BootClock.now()) == nil else { return [] }
                let (scenario, _, natural) = try parse(address)
                var sensor = FakeAccelerometer.describe(scenario, natural: natural)
                sensor.isChosen = true
                sensor.why = "requested simulation"
                return [sensor]
            })
    }

    /// Splits an address into its options, with the scenario as the name.
    private static func split(_ address: String) throws(SensorFailure) -> (SourceAddress, scenario: String) {
        let options: Set = ["mount", "sense", "natural", "sensors"]
        // Options may stand without a scenario: fake:natural=landscapeLeft. No scenario has an equals sign.
        let startsWithOption = address.prefix { $0 != "?" }.contains("=")
        let parts =
            startsWithOption
            ? ["", address[...]] : address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let address = try SourceAddress(
            name: String(parts.first ?? ""), options: parts.dropFirst().first ?? "", scheme: scheme, known: options)
        return (address, address.name.isEmpty ? "demonstration" : address.name)
    }

    private static func parse(_ address: String) throws(SensorFailure) -> (Scenario, SimulatedMount?, Edge?) {
        let (address, name) = try split(address)
        guard let scenario = Scenario.named(name) else {
            let known = Scenario.all.map(\.name).joined(separator: ", ")
            throw .unusable("\(scheme): unknown scenario '\(address.name)': must be one of \(known)")
        }
        return (scenario, try SimulatedMount(address), try natural(address))
    }
}

extension FakeSource {
    private static func natural(_ address: SourceAddress) throws(SensorFailure) -> Edge? {
        guard let text = address["natural"] else { return nil }
        do throws(NaturalOrientationError) {
            return try Edge(naturalOrientation: text)
        } catch {
            throw .unusable("\(scheme): option natural: \(error)")
        }
    }
}

/// A simulated chip with a mount matrix that the daemon does not know: its samples are wrong, like those of a real chip
/// without a mount matrix.
package struct SimulatedMount: Hashable, Sendable {
    /// The sign of the chip's vectors.
    package let sense: DeviceFrame.SensorSense
    private let truth: DeviceFrame
    private let assumed: DeviceFrame

    /// Creates a chip for which `matrix` is the right mount matrix; nil if it is not a rotation.
    package init?(_ matrix: MountMatrix, sense: DeviceFrame.SensorSense) {
        self.sense = sense
        truth = DeviceFrame(matrix: matrix, sense: sense)
        assumed = DeviceFrame(matrix: .identity, sense: sense)
        guard truth.faceRule == .crossProduct else { return nil }
    }

    /// Parses the options `mount` and `sense` of an address; nil without a mount.
    init?(_ address: SourceAddress) throws(SensorFailure) {
        let sense: DeviceFrame.SensorSense =
            switch address["sense"] {
            case nil, "chip": .specificForce
            case "hid": .gravity
            case let text?: throw .unusable("fake: invalid value '\(text)' for sense: must be chip or hid")
            }
        guard let text = address["mount"] else {
            guard address["sense"] == nil else { throw .unusable("fake: option sense requires option mount") }
            return nil
        }
        let matrix: MountMatrix
        do throws(MountMatrixError) {
            matrix = try MountMatrix(parsing: text)
        } catch {
            throw .unusable("fake: option mount: \(error)")
        }
        guard let mount = Self(matrix, sense: sense) else {
            throw .unusable(
                "fake: invalid value '\(text)' for mount: the first two rows must be orthogonal unit vectors"
            )
        }
        self = mount
    }

    /// Returns the reading of the chip along its own axes for an acceleration in the device frame, both in m/s².
    package func chipReads(_ acceleration: Acceleration) -> Acceleration {
        truth.inverse(acceleration) ?? acceleration
    }

    /// Returns the sample that the daemon derives from a reading.
    func sample(_ reading: Acceleration) -> Acceleration {
        assumed(reading)
    }
}
