// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings
internal import Sensing

/// An IIO accelerometer: its buffer where that works, else single readings.
final class IIOAccelerometer: Accelerometer {
    private(set) var info: SensorDescription
    let keepsReadersPace = false

    private enum Mode {
        case capture(Capture)
        case poll(Polling, DeviceSettings?)
        /// Nothing is open, for this reason.
        case closed(SensorFailure)
    }

    // Devices point into the context, which therefore is let go last: see deinit.
    private var mode = Mode.closed(.failed("the sensor is not open"))
    private let device: AccelerometerDevice
    private let context: IIOContext
    private let note: ArmedNote
    private let mayTune: Bool
    private var isFollowed = false

    /// Takes over an open context, and opens the device in it as it was planned.
    ///
    /// A device that cannot be opened is told of by the first ``next(at:)``, as one that fails later is: it has a name by
    /// then, so that another one is tried first the next time.
    init(context: consuming IIOContext, device: AccelerometerDevice, note: ArmedNote) {
        let triggers = context.devices.filter(\.isTrigger)
        self.context = context
        self.device = device
        self.note = note
        info = device.info
        // Who else reads from the chip has a say in how fast it measures.
        mayTune = device.device.isBufferEnabled != true
        switch device.plan {
        case .poll(let reason): poll(because: reason)
        case .capture(let trigger):
            do throws(CaptureError) {
                mode = .capture(try Capture(device, triggers: triggers, note: note, warnings: &info.warnings))
                info.reading = "\(AccelerometerDevice.reading(captured: trigger)); \(device.particulars)"
            } catch {
                poll(because: error.reason)
                if case .refused = error {
                    // Somebody has something to mend.
                    info.warnings.append("not captured: \(error.reason)")
                    info.isBufferRefused = true
                }
            }
        }
    }

    deinit {
        close()
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        switch mode {
        case .closed(let reason): throw reason
        case .poll(let polling, _): return try polling.next(at: now)
        case .capture(let capture):
            switch try capture.next(at: now) {
            case .step(let step): return step
            case .lost(let reason):
                poll(because: reason)
                return .redescribed
            }
        }
    }

    var lastRaw: RecordedSample.Raw? {
        switch mode {
        case .closed: nil
        case .poll(let polling, _): polling.lastRaw
        case .capture(let capture): capture.lastRaw
        }
    }

    var arithmetic: SensorArithmetic { device.arithmetic }

    func setFollowed(_ isFollowed: Bool) {
        self.isFollowed = isFollowed
        if case .poll(let polling, _) = mode { polling.isFollowed = isFollowed }
    }

    private func close() {
        mode = .closed(.failed("\(info.name) is closed"))
    }

    private func poll(because reason: String) {
        close()
        info.reading = "polled: \(reason); \(device.particulars)"
        do throws(SensorFailure) {
            guard device.canBePolled else { throw .failed("\(info.name) gives no single readings, and \(reason)") }
            let polling = try Polling(device)
            polling.isFollowed = isFollowed
            mode = .poll(polling, tune())
        } catch {
            mode = .closed(error)
        }
    }

    private func tune() -> DeviceSettings? {
        guard mayTune else { return nil }
        return try? DeviceSettings(
            device.device, for: .polling, note: device.isLocal ? note : nil, warnings: &info.warnings)
    }
}
