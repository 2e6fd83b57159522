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
        case poll(Polling, SamplingFrequency?)
        /// Nothing is open.
        case none
    }

    // Devices point into the context, which therefore is let go last: see deinit.
    private var mode = Mode.none
    private let device: AccelerometerDevice
    private let context: IIOContext
    private let mayTune: Bool
    private var isFollowed = false

    /// Takes over an open context, and opens the device in it as it was planned.
    init(context: consuming IIOContext, device: AccelerometerDevice, note: ArmedNote) throws(SensorFailure) {
        let triggers = context.devices.filter(\.isTrigger)
        self.context = context
        self.device = device
        info = device.info
        // Who else reads from the chip has a say in how fast it measures.
        mayTune = device.device.isBufferEnabled != true
        switch device.plan {
        case .poll(let reason): try poll(because: reason)
        case .capture(let trigger):
            do throws(CaptureError) {
                mode = .capture(try Capture(device, triggers: triggers, note: note))
                info.reading = "\(AccelerometerDevice.reading(captured: trigger)); \(device.particulars)"
            } catch {
                try poll(because: error.reason)
                if error.isWorthWarning { info.warnings.append("not captured: \(error.reason)") }
            }
        }
    }

    deinit {
        mode = .none
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        switch mode {
        case .none: throw .failed("\(info.name) is closed")
        case .poll(let polling, _): return try polling.next(at: now)
        case .capture(let capture):
            switch try capture.next(at: now) {
            case .step(let step): return step
            case .lost(let reason):
                try poll(because: reason)
                return .redescribed
            }
        }
    }

    var lastRaw: RecordedSample.Raw? {
        switch mode {
        case .none: nil
        case .poll(let polling, _): polling.lastRaw
        case .capture(let capture): capture.lastRaw
        }
    }

    var arithmetic: SensorArithmetic { device.arithmetic }

    func setFollowed(_ isFollowed: Bool) {
        self.isFollowed = isFollowed
        if case .poll(let polling, _) = mode { polling.isFollowed = isFollowed }
    }

    private func poll(because reason: String) throws(SensorFailure) {
        mode = .none
        guard device.canBePolled else { throw .failed("\(info.name) gives no single readings, and \(reason)") }
        let frequency = mayTune ? SamplingFrequency(device: device.device, warnings: &info.warnings) : nil
        let polling = try Polling(device)
        polling.isFollowed = isFollowed
        mode = .poll(polling, frequency)
        info.reading = "polled: \(reason); \(device.particulars)"
    }
}

extension CaptureError {
    /// Whether somebody has something to mend.
    fileprivate var isWorthWarning: Bool {
        if case .refused = self { true } else { false }
    }
}
