// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// An IIO accelerometer that is asked for each reading.
final class PolledAccelerometer: Accelerometer {
    /// A reading that took longer says nothing of any one moment: a hung hub blocks for 5 s and then invents zeros.
    static let longestRead = 1.0

    let info: SensorDescription
    let keepsReadersPace = false

    // Set back before the context goes, into which it points: see deinit.
    private var frequency: SamplingFrequency?
    private let device: AccelerometerDevice
    private let context: IIOContext
    private var pace = PollingPace()
    private var due: Double = -.infinity

    /// Takes over an open context.
    init(context: consuming IIOContext, device: AccelerometerDevice) {
        var info = device.info
        frequency = device.raiseFrequency(warnings: &info.warnings)
        self.context = context
        self.device = device
        self.info = info
    }

    deinit {
        frequency = nil
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        let acceleration = try device.read()
        let end = BootClock.now()
        guard let acceleration, end - now <= Self.longestRead else {
            due = end + pace.intervalWithoutReading
            return .pause(seconds: due - end)
        }
        // After a suspend the schedule lies in the past: it starts anew from here.
        due = max(due, now) + pace.interval(after: acceleration, at: now)
        return .sample(Sample(time: now, acceleration: acceleration))
    }
}
