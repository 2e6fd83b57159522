// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// The sensor of a simulated device, in place of a chip.
final class FakeAccelerometer: Accelerometer {
    /// Readings per second: as fast as a chip that captures for an interface.
    static let rate = 50.0

    let info: SensorDescription
    let keepsReadersPace = false

    private(set) var lastRaw: RecordedSample.Raw?

    private let device: SimulatedDevice
    private let mount: SimulatedMount?
    private var due = -Double.infinity

    /// Reads `device`, which plays `scenario` unless somebody has taken it in hand. Without a mount there is no chip: the
    /// readings are in the device frame.
    init(_ scenario: Scenario, _ device: SimulatedDevice, mount: SimulatedMount? = nil) {
        self.device = device
        self.mount = mount
        info = SensorDescription(id: "fake:\(scenario.name)", name: "simulated device")
        device.play(scenario, at: BootClock.now())
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

/// The row of the table of sources for `fake:SCENARIO?mount=…&sense=…`.
package enum FakeSource {
    /// The scheme that stands for a simulated device.
    package static let scheme = "fake"

    /// The row, for a table whose simulated device is `device`.
    package static func row(_ device: SimulatedDevice) -> SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true,
            check: { address throws(SensorFailure) in _ = try parse(address) },
            open: { address, _ throws(SensorFailure) in
                let (scenario, mount) = try parse(address)
                return FakeAccelerometer(scenario, device, mount: mount)
            },
            survey: { address, _ throws(SensorFailure) in
                [
                    SensorDescription(
                        id: "fake:\(try parse(address).scenario.name)", name: "simulated device", isChosen: true,
                        why: "asked for; it is simulated")
                ]
            })
    }

    private static func parse(_ address: String) throws(SensorFailure) -> (scenario: Scenario, SimulatedMount?) {
        let address = try SourceAddress(parsing: address, known: ["mount", "sense"])
        guard let scenario = Scenario.named(address.name.isEmpty ? "demonstration" : address.name) else {
            let known = Scenario.all.map(\.name).joined(separator: ", ")
            throw .unusable("there is no scenario '\(address.name)'; there are \(known)")
        }
        return (scenario, try SimulatedMount(address))
    }
}
