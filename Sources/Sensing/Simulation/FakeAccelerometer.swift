// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The sensor of a simulated device, in place of a chip.
final class FakeAccelerometer: Accelerometer {
    /// Readings per second: as fast as a chip that captures for an interface.
    static let rate = 50.0

    let info: SensorDescription
    let keepsReadersPace = false

    private let device: SimulatedDevice
    private var due = -Double.infinity

    /// Reads `device`, which plays `scenario` unless somebody has taken it in hand.
    init(_ scenario: Scenario, _ device: SimulatedDevice) {
        self.device = device
        info = SensorDescription(id: "fake:\(scenario.name)", name: "simulated device")
        device.play(scenario, at: BootClock.now())
    }

    var arithmetic: SensorArithmetic { SensorArithmetic(rate: Self.rate) }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        due = max(due, now - 0.5 / Self.rate) + 1 / Self.rate
        guard let acceleration = try device.reading(at: now) else { return .pause(seconds: 1 / Self.rate) }
        return .sample(Sample(time: now, acceleration: acceleration))
    }
}

/// The row of the table of sources for `fake:SCENARIO`.
package enum FakeSource {
    /// The scheme that stands for a simulated device.
    package static let scheme = "fake"

    /// The row, for a table whose simulated device is `device`.
    package static func row(_ device: SimulatedDevice) -> SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true,
            check: { address throws(SensorFailure) in _ = try scenario(address) },
            open: { address, _ throws(SensorFailure) in FakeAccelerometer(try scenario(address), device) },
            survey: { address, _ throws(SensorFailure) in
                [
                    SensorDescription(
                        id: "fake:\(try scenario(address).name)", name: "simulated device", isChosen: true,
                        why: "asked for; it is simulated")
                ]
            })
    }

    private static func scenario(_ name: String) throws(SensorFailure) -> Scenario {
        guard let scenario = Scenario.named(name.isEmpty ? "demonstration" : name) else {
            let known = Scenario.all.map(\.name).joined(separator: ", ")
            throw .unusable("there is no scenario '\(name)'; there are \(known)")
        }
        return scenario
    }
}
