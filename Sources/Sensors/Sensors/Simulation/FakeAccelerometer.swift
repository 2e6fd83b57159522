// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
internal import Posix
internal import Recordings

/// The sensor of the simulated device.
final class FakeAccelerometer: Accelerometer {
    /// The sampling rate in hertz, as of a chip in capture mode.
    static let rate = 50.0

    let info: SensorDescription
    let supportsBackpressure = false

    private(set) var lastRaw: RecordedSample.Raw?

    private let device: SimulatedDevice
    private let mount: SimulatedMount?
    private var due = -Double.infinity

    /// Creates a sensor of `device`. Without a mount the readings are in the device frame.
    fileprivate init(_ device: SimulatedDevice, _ mount: SimulatedMount?, natural: Edge?) {
        self.device = device
        self.mount = mount
        info = Self.describe(natural)
    }

    fileprivate static func describe(_ natural: Edge?) -> SensorDescription {
        SensorDescription(
            id: "\(FakeSource.scheme):", name: "simulated device", natural: natural,
            naturalSource: natural.map { _ in "option natural of \(FakeSource.scheme):" })
    }

    var conversion: Conversion {
        guard let mount else { return Conversion(rate: Self.rate) }
        return Conversion(scale: [1, 1, 1], offset: [0, 0, 0], sense: mount.sense.name, rate: Self.rate)
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        due = max(due, now - 0.5 / Self.rate) + 1 / Self.rate
        guard let acceleration = try device.reading(at: now) else { return .pause(seconds: 1 / Self.rate) }
        guard let mount else { return .sample(Sample(time: now, acceleration: acceleration)) }
        let reading = mount.chipReads(acceleration)
        lastRaw = reading
        return .sample(Sample(time: now, acceleration: mount.sample(reading)))
    }
}

/// The source `fake:mount=…&sense=…&natural=…&sensors=…`.
package enum FakeSource {
    /// The scheme of the simulated device.
    package static let scheme = "fake"

    /// The values of the option `sensors`, separated by plus signs.
    package static let sensors: [SensorKind] = [.accelerometer, .light, .proximity, .compass]

    /// Returns the sensors of an address: as in the option `sensors`, all without it.
    package static func sensors(of address: String) throws(SensorFailure) -> Set<SensorKind> {
        guard let text = try options(address)["sensors"] else { return Set(sensors) }
        var wanted: Set<SensorKind> = []
        for name in text.split(separator: "+", omittingEmptySubsequences: false) {
            guard let kind = sensors.first(where: { $0.rawValue == name }) else {
                let known = sensors.map(\.rawValue).joined(separator: ", ")
                throw .unusable("\(scheme): sensors: invalid value '\(name)': must be a list of \(known), joined by +")
            }
            guard wanted.insert(kind).inserted else {
                throw .unusable("\(scheme): sensors: duplicate value '\(name)': must be given once")
            }
        }
        return wanted
    }

    package static func row(_ device: SimulatedDevice) -> SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true,
            expected: { address in
                // What cannot be parsed is refused by `check`.
                (try? options(address)).map { FakeAccelerometer.describe(try? natural($0)) }
            },
            check: { address throws(SensorFailure) in
                let options = try options(address)
                _ = try SimulatedMount(options)
                _ = try natural(options)
                _ = try sensors(of: address)
            },
            open: { address, _ throws(OpenFailure) in
                try OpenFailure.naming(nil) { () throws(SensorFailure) in try open(address, device) }
            },
            scan: { address, _ throws(SensorFailure) in
                guard try sensors(of: address).contains(.accelerometer), device.absence(at: BootClock.now()) == nil
                else { return [] }
                var sensor = FakeAccelerometer.describe(try natural(options(address)))
                sensor.isChosen = true
                sensor.why = "requested simulation"
                return [sensor]
            })
    }

    private static func open(
        _ address: String, _ device: SimulatedDevice
    ) throws(SensorFailure) -> any Accelerometer {
        guard try sensors(of: address).contains(.accelerometer) else {
            throw .noDevice("the simulated device has no accelerometer, as requested")
        }
        if let absence = device.absence(at: BootClock.now()) { throw absence }
        let options = try options(address)
        return FakeAccelerometer(device, try SimulatedMount(options), natural: try natural(options))
    }

    /// Parses the options of an address; a question mark may precede them.
    private static func options(_ address: String) throws(SensorFailure) -> SourceAddress {
        let options = address.hasPrefix("?") ? address.dropFirst() : address[...]
        let first = options.prefix { $0 != "?" }
        guard first.isEmpty || first.contains("=") else {
            throw .unusable(
                "\(scheme): invalid value '\(first)': must be options, as in natural=portrait")
        }
        return try SourceAddress(
            name: "", options: options, scheme: scheme, known: ["mount", "sense", "natural", "sensors"])
    }

    private static func natural(_ options: SourceAddress) throws(SensorFailure) -> Edge? {
        guard let text = options["natural"] else { return nil }
        do throws(NaturalOrientationError) {
            return try Edge(naturalOrientation: text)
        } catch {
            throw .unusable("\(scheme): option natural: \(error)")
        }
    }
}

/// A simulated chip with a mount matrix that the daemon does not know: its samples are wrong, as of a real chip
/// without a mount matrix.
struct SimulatedMount {
    /// The sign of the chip's vectors.
    let sense: DeviceFrame.SensorSense
    private let truth: DeviceFrame
    private let assumed: DeviceFrame

    /// Parses the options `mount` and `sense` of an address; nil without a mount.
    init?(_ address: SourceAddress) throws(SensorFailure) {
        sense =
            switch address["sense"] {
            case nil, "chip": .specificForce
            case "hid": .gravity
            case let text?: throw .unusable("fake: invalid value '\(text)' for sense: must be chip or hid")
            }
        guard let text = address["mount"] else {
            guard address["sense"] == nil else { throw .unusable("fake: option sense requires option mount") }
            return nil
        }
        do throws(MountMatrixError) {
            truth = DeviceFrame(matrix: try MountMatrix(parsing: text), sense: sense)
        } catch {
            throw .unusable("fake: option mount: \(error)")
        }
        assumed = DeviceFrame(matrix: .identity, sense: sense)
        guard truth.faceRule == .crossProduct else {
            throw .unusable(
                "fake: invalid value '\(text)' for mount: the first two rows must be orthogonal unit vectors"
            )
        }
    }

    /// Returns the reading of the chip along its own axes for an acceleration in the device frame, both in m/s².
    func chipReads(_ acceleration: Acceleration) -> Acceleration {
        truth.inverse(acceleration) ?? acceleration
    }

    /// Returns the sample that the daemon derives from a reading.
    func sample(_ reading: Acceleration) -> Acceleration {
        assumed(reading)
    }
}
