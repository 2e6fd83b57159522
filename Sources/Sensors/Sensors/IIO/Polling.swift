// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Recordings

/// Polls an accelerometer at the interval that ``PollingPace`` sets.
final class Polling {
    /// The longest valid read, in seconds. The result of a longer one has no defined time: a hung hub blocks for 5 s
    /// and then returns zeros.
    static let longestRead = 1.0

    private let axes: [AccelerometerAxis]
    private let conversion: RawConversion
    private let files: RawFiles
    private var pace = PollingPace()
    private var due: Double = -.infinity
    private var raw: [3 of Double] = [0, 0, 0]
    private var hasRaw = false
    /// Whether each reading at rest is of all axes.
    private let readsAllAxes: Bool
    /// The rate for motion subscribers, in hertz, which excludes the interval at rest; nil without subscribers.
    var motionRate: Double?
    /// The raw values of the last sample.
    var lastRaw: RecordedSample.Raw? { hasRaw ? RecordedSample.Raw(x: raw[0], y: raw[1], z: raw[2]) : nil }

    /// Opens the raw attributes. `readsAllAxes`: read all axes each time: readings are seconds apart, and the first one after
    /// a turn must show it.
    init(_ device: AccelerometerDevice, readsAllAxes: Bool = false) throws(SensorFailure) {
        axes = device.axes
        conversion = device.conversion
        self.readsAllAxes = readsAllAxes
        files = try RawFiles(of: axes, device: device.info.id)
    }

    /// Returns the next step; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        guard now >= due else { return .pause(seconds: due - now) }
        let reading = try read()
        let end = BootClock.now()
        guard let reading, end - now <= Self.longestRead else {
            due = end + PollingPace.restingInterval
            return .pause(seconds: due - end)
        }
        let interval = pace.interval(after: reading, at: now, duration: end - now, motionRate: motionRate)
        // A late wake-up does not lower the rate. After a suspend the schedule restarts.
        due = (due + interval > now ? due : now) + interval
        return .sample(Sample(time: now, acceleration: reading), then: .pause(seconds: due - end))
    }

    /// Reads the acceleration in m/s², in the device frame; nil if the sensor returned no valid reading.
    func read() throws(SensorFailure) -> Acceleration? {
        let former = conversion.components(raw[0], raw[1], raw[2])
        let current = { self.conversion(self.raw[0], self.raw[1], self.raw[2]) }
        try pace.read(after: former, isWhole: readsAllAxes || motionRate != nil, current: current, refresh: refresh)
        hasRaw = true
        return current()
    }

    private func refresh(_ axis: Int) throws(SensorFailure) {
        do throws(SysfsFile.NumberError) {
            raw[axis] = try files.number(axis)
        } catch {
            throw axes[axis].failure(error)
        }
    }
}

/// The raw attributes of the axes, kept open: libiio opens and closes a file for each reading.
private struct RawFiles: ~Copyable {
    private let files: [3 of SysfsFile]

    init(of axes: [AccelerometerAxis], device: String) throws(SensorFailure) {
        files = try [3 of SysfsFile] { index throws(SensorFailure) in
            let name = axes[index].rawFileName
            do throws(Errno) {
                return try SysfsFile(path: "\(SysfsFolder.iio(device).path)/\(name)")
            } catch {
                throw AccelerometerAxis.failure(reading: name, error)
            }
        }
    }

    /// Reads the current value of an axis.
    func number(_ axis: Int) throws(SysfsFile.NumberError) -> Double { try files[axis].readNumber() }
}
