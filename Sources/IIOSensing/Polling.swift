// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Recordings
internal import Sensing

/// Asks an accelerometer for each reading, at the pace that what happens calls for.
final class Polling {
    /// A reading that took longer says nothing of any one moment: a hung hub blocks for 5 s and then invents zeros.
    static let longestRead = 1.0

    private let device: AccelerometerDevice
    /// The three files, kept open; empty where they are not this machine's.
    private let files: [RawFile]
    private var pace = PollingPace()
    private var due: Double = -.infinity
    private var raw: [3 of Double] = [0, 0, 0]
    /// The axis that is looked at next while the device rests.
    private var turn = 0
    /// Whether the driver waits for the chip at each axis, as hubs and buses that sleep do.
    private var isWaitedFor = false
    /// Somebody follows every movement, and needs so many readings in a second: there is no resting. Nil: nobody does.
    var followedRate: Double?
    /// The driver's numbers behind the last sample.
    private(set) var lastRaw: RecordedSample.Raw?

    init(_ device: AccelerometerDevice) throws(SensorFailure) {
        self.device = device
        guard device.isLocal else {
            files = []
            return
        }
        var files: [RawFile] = []
        for axis in device.axes {
            guard let file = RawFile(device: device.info.id, name: axis.rawFileName) else {
                throw AccelerometerAxis.failure(reading: axis.rawFileName, code: errno)
            }
            files.append(file)
        }
        self.files = files
    }

    /// The next thing to do; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        let reading = try read()
        let end = BootClock.now()
        guard let reading, end - now <= Self.longestRead else {
            due = end + pace.intervalWithoutReading
            return .pause(seconds: due - end)
        }
        let interval = pace.interval(after: reading, at: now, isWaitedFor: isWaitedFor, followed: followedRate)
        // Waking up late makes no reading the fewer. After a suspend the schedule lies in the past: it starts anew.
        due = (due + interval > now ? due : now) + interval
        return .sample(Sample(time: now, acceleration: reading))
    }

    /// What the device feels now in m/s², in the device frame; nil where the sensor answered without a reading.
    private func read() throws(SensorFailure) -> Acceleration? {
        let before = ThreadSleeps.count
        // Asked of each reading: a driver may have been waited for only once.
        defer { isWaitedFor = ThreadSleeps.count > before }
        if pace.isResting, isWaitedFor, followedRate == nil, let glance = try glance() { return glance }
        for axis in raw.indices { try refresh(axis) }
        return device.acceleration(raw[0], raw[1], raw[2])
    }

    /// A look at one axis after the other while the device rests: each costs a wake-up, and no turn leaves two of them as
    /// they were. Nil where that axis has moved, and all of them are to be read.
    private func glance() throws(SensorFailure) -> Acceleration? {
        try refresh(turn)
        turn = (turn + 1) % 3
        guard let acceleration = device.acceleration(raw[0], raw[1], raw[2]), pace.isStill(acceleration) else {
            return nil
        }
        return acceleration
    }

    private func refresh(_ index: Int) throws(SensorFailure) {
        let axis = device.axes[index]
        let answer = files.isEmpty ? axis.rawAttribute : files[index].read()
        raw[index] = try AccelerometerAxis.number(answer, file: axis.rawFileName)
        lastRaw = RecordedSample.Raw(x: raw[0], y: raw[1], z: raw[2])
    }
}

/// How often this thread has gone to sleep, by the kernel's count.
private enum ThreadSleeps {
    /// RUSAGE_THREAD, which Swift's Glibc lacks.
    private static let thisThread = __rusage_who_t(1)

    static var count: Int {
        var usage = rusage()
        return getrusage(thisThread, &usage) == 0 ? usage.ru_nvcsw : 0
    }
}

extension AccelerometerDevice {
    /// Raw numbers of the three axes in m/s², in the device frame; nil for what is no reading: a hung sensor hub
    /// answers with exact zeros, and with success.
    func acceleration(_ x: Double, _ y: Double, _ z: Double) -> Acceleration? {
        if x == 0, y == 0, z == 0 { return nil }
        return frame(
            Acceleration(x: axes[0].value(ofRaw: x), y: axes[1].value(ofRaw: y), z: axes[2].value(ofRaw: z)))
    }
}
