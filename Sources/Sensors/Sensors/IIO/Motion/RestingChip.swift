// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import OrientationModel
internal import Posix
internal import Recordings

/// A chip whose motion event is armed: waits for the event, and reads it in between. Releasing it restores the event's
/// attributes.
final class RestingChip {
    private let polling: Polling
    private let settings: DeviceSettings
    private let events: EventDescriptor
    private var due: Double
    /// Whether an event was reported before the last reading.
    private(set) var hasFired = false

    /// Arms the event of a device that is neither polled nor captured.
    init(
        _ device: AccelerometerDevice, _ event: MotionEvent, record: RestoreRecord, at now: Double,
        warnings: inout [String]
    ) throws(MotionEventError) {
        // First, because it fails without having changed anything.
        events = try EventDescriptor(device: device.info.id)
        do throws(SensorFailure) {
            polling = try Polling(device, readsAllAxes: true)
        } catch {
            throw .refused("\(error)")
        }
        do throws(CaptureError) {
            settings = try DeviceSettings(
                device.device, for: .polling, rate: SamplingFrequency.sufficient, record: record, warnings: &warnings)
        } catch {
            throw .refused(error.reason)
        }
        due = now + MotionEventState.readingInterval
        try settings.arm(event)
    }

    var lastRaw: RecordedSample.Raw? { polling.lastRaw }

    /// Returns the next step; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if events.drain() { hasFired = true }
        guard hasFired || now >= due else {
            return .awaitInput(descriptor: events.descriptor, seconds: due - now)
        }
        let step = try polling.next(at: now)
        // The next event may already be pending: call again at once.
        guard case .sample(let sample, _) = step else { return step }
        due = now + MotionEventState.readingInterval
        return .sample(sample)
    }
}

/// The descriptor on which the kernel reports the events of a device.
final class EventDescriptor {
    private let events: OwnedDescriptor
    var descriptor: Int32 { events.number }

    /// Whether a process holds the event descriptor of a device.
    static func isInUse(device: String) -> Bool {
        do throws(MotionEventError) {
            _ = try EventDescriptor(device: device)
            return false
        } catch {
            return !error.isPermanent
        }
    }

    /// Opens it; the device's node is open only meanwhile, because only one process can open it.
    init(device: String) throws(MotionEventError) {
        var file = "/dev/\(device)"
        do throws(Errno) {
            let node = try OwnedDescriptor(opening: file, O_RDONLY | O_NONBLOCK)
            file = "the events of \(device)"
            events = try OwnedDescriptor(cposix_iio_event_descriptor(node.number))
        } catch {
            let text = "cannot open \(file): \(error)"
            throw error.code == EBUSY ? .busy(text) : .refused(text)
        }
    }

    /// Reads all queued events; returns whether there was one.
    func drain() -> Bool {
        // struct iio_event_data has 16 bytes.
        var bytes = [UInt8](repeating: 0, count: 16 * Self.queueLength)
        var hasEvent = false
        while read(descriptor, &bytes, bytes.count) > 0 { hasEvent = true }
        return hasEvent
    }

    /// The number of events that the kernel queues.
    private static let queueLength = 16
}

/// Why a motion event could not be armed.
enum MotionEventError: Error {
    /// A retry may succeed: another program uses the device or its events.
    case busy(String)
    /// A retry cannot succeed.
    case refused(String)

    var isPermanent: Bool {
        if case .refused = self { true } else { false }
    }

    var reason: String {
        switch self {
        case .busy(let reason), .refused(let reason): reason
        }
    }
}
