// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// One thing that the loop watches; letting go of it ends the watch.
package final class EventSource {
    enum Handler {
        case io(@MainActor (Readiness) -> Void)
        case plain(@MainActor () -> Void)
    }

    /// How late a timer may fire, in microseconds, so that the kernel can wake us for several things at once. Zero
    /// would not mean exact: sd-event takes it for 250 ms.
    static let timerAccuracy: UInt64 = 1_000

    private let handler: Handler
    private var pointer: OpaquePointer?

    init(_ handler: Handler) {
        self.handler = handler
    }

    isolated deinit {
        _ = sd_event_source_disable_unref(pointer)
    }

    /// Hands libsystemd the place for its source and the userdata that leads back here.
    func attach(
        _ operation: String,
        _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(SystemError) {
        // Unretained: the source never outlives this object, whose deinit takes it off the loop.
        try check(add(&pointer, Unmanaged.passUnretained(self).toOpaque()), operation)
    }

    /// Watches for something else from now on.
    package func setInterest(_ interest: Readiness) {
        _ = sd_event_source_set_io_events(pointer, interest.rawValue)
    }

    /// Starts the timer, or starts it anew: it fires once, `seconds` from now.
    package func fire(after seconds: Double) {
        let microseconds = UInt64(max(seconds, 0) * 1_000_000)
        _ = sd_event_source_set_time_relative(pointer, microseconds)
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT))
    }

    /// Stops the watch until it is started again.
    package func pause() {
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
    }

    /// Goes on after ``pause()``.
    package func resume() {
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ON))
    }

    /// The way from libsystemd's callback, which is on the loop's thread, to the handler.
    nonisolated static func run(
        _ userdata: UnsafeMutableRawPointer?, readiness: Readiness = []
    ) -> Int32 {
        guard let userdata else { return 0 }
        nonisolated(unsafe) let opaque = userdata
        MainActor.assumeIsolated {
            // A strong reference: the handler may let go of the last one.
            let source = Unmanaged<EventSource>.fromOpaque(opaque).takeUnretainedValue()
            switch source.handler {
            case .io(let handler): handler(readiness)
            case .plain(let handler): handler()
            }
        }
        return 0
    }
}
