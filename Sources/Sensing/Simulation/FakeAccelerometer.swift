// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A simulated device that plays a scenario, over and over, in place of a chip.
final class FakeAccelerometer: Accelerometer {
    /// Readings per second: as fast as a chip that captures for an interface.
    static let rate = 50.0

    let info: SensorDescription
    let keepsReadersPace = false

    private let scenario: Scenario
    private let start: Double
    private var due: Double

    /// Plays `scenario`, which began at `start`, CLOCK_BOOTTIME in seconds.
    init(_ scenario: Scenario, start: Double) {
        self.scenario = scenario
        self.start = start
        due = start
        info = SensorDescription(id: "fake:\(scenario.name)", name: "simulated device")
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        due = max(due + 1 / Self.rate, now)
        switch scenario.reading(at: (now - start).truncatingRemainder(dividingBy: scenario.duration)) {
        case .acceleration(let acceleration): return .sample(Sample(time: now, acceleration: acceleration))
        case .lost: return .pause(seconds: 1 / Self.rate)
        case .failure(let reason): throw .failed(reason)
        }
    }
}

/// When the simulated device was first looked at. Its scenario goes on from there even while nobody does, as a real
/// device would.
private enum FirstLook {
    static let time = BootClock.now()
}

/// The row of the table of sources for `fake:SCENARIO`.
package enum FakeSource {
    package static let row = SourceKind(
        scheme: "fake", takesAddress: true,
        open: { address, _ throws(SensorFailure) in
            FakeAccelerometer(try scenario(address), start: FirstLook.time)
        },
        survey: { address, _ throws(SensorFailure) in
            var listing = FakeAccelerometer(try scenario(address), start: 0).info
            listing.isChosen = true
            listing.why = "asked for; it is simulated"
            return [listing]
        })

    private static func scenario(_ name: String) throws(SensorFailure) -> Scenario {
        guard let scenario = Scenario.named(name.isEmpty ? "demonstration" : name) else {
            let known = Scenario.all.map(\.name).joined(separator: ", ")
            throw .unusable("there is no scenario '\(name)'; there are \(known)")
        }
        return scenario
    }
}
