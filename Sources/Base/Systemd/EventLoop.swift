// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// The event loop of a program: libsystemd's sd-event on the main thread.
///
///     let source = try loop.watch(descriptor, for: .read) { _ in … }
///
/// Callbacks are synchronous and run on the thread that runs the loop. `watch` and `timer` return an ``EventSource`` that
/// the caller keeps: releasing it ends the watch.
package final class EventLoop {
    /// The sd_event handle, for libsystemd objects of this module that attach themselves, and for tests.
    package let handle: OpaquePointer

    package init() throws(SystemError) {
        var handle: OpaquePointer?
        try check(sd_event_new(&handle), "create the event loop")
        guard let handle else { throw SystemError(operation: "create the event loop", code: ENOMEM) }
        self.handle = handle
    }

    deinit {
        sd_event_unref(handle)
    }

    /// Runs until ``exit(status:)``, and calls `afterEach` after each callback; returns the status given there. Sources are
    /// handled in the order in which they became ready.
    package func run(afterEach: () -> Void = {}) throws(SystemError) -> Int32 {
        while sd_event_get_state(handle) != SD_EVENT_FINISHED {
            try check(sd_event_run(handle, .max), "run the event loop")
            afterEach()
        }
        var status: Int32 = 0
        try check(sd_event_get_exit_code(handle, &status), "run the event loop")
        return status
    }

    /// Ends ``run()`` after the current callback has returned.
    package func exit(status: Int32) {
        sd_event_exit(handle, status)
    }

    /// Enables systemd watchdog messages, if the unit has `WatchdogSec=`.
    package func enableWatchdog() {
        _ = sd_event_set_watchdog(handle, 1)
    }

    /// Calls `handler` whenever `descriptor` is ready for one of `interest`.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> EventSource {
        let source = EventSource(.io(handler))
        try source.attach("watch descriptor \(descriptor)") { pointer, userdata in
            sd_event_add_io(handle, pointer, descriptor, interest.rawValue, onReadiness, userdata)
        }
        return source
    }

    /// Creates a stopped timer; ``EventSource/fire(after:)`` starts it, once.
    package func timer(handler: @escaping () -> Void) throws(SystemError) -> EventSource {
        let source = EventSource(.plain(handler))
        try source.attach("create a timer") { pointer, userdata in
            sd_event_add_time_relative(
                handle, pointer, CLOCK_MONOTONIC, 0, EventSource.timerAccuracy, onTime, userdata)
        }
        source.pause()
        return source
    }

    /// Calls `handler` for each `signal`, which is blocked from now on in this thread and threads that it starts.
    package func watch(
        signal: Int32, handler: @escaping () -> Void
    ) throws(SystemError) -> EventSource {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let source = EventSource(.plain(handler))
        try source.attach("watch signal \(signal)") { pointer, userdata in
            sd_event_add_signal(handle, pointer, signal, onSignal, userdata)
        }
        return source
    }
}

/// The readiness of a descriptor, or the interest in it.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Data or the end of file can be read.
    package static let read = Readiness(rawValue: EPOLLIN.rawValue)
    /// Data can be written.
    package static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// Report each change once (edge-triggered), not the state for as long as it lasts.
    package static let changes = Readiness(rawValue: EPOLLET.rawValue)
    /// The peer has closed both directions, or the descriptor failed; always reported.
    package var isHungUp: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
}

private func onReadiness(
    _: OpaquePointer?, _: Int32, events: UInt32, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    EventSource.run(userdata, readiness: Readiness(rawValue: events))
}

private func onTime(_: OpaquePointer?, _: UInt64, userdata: UnsafeMutableRawPointer?) -> Int32 {
    EventSource.run(userdata)
}

private func onSignal(
    _: OpaquePointer?, _: UnsafePointer<signalfd_siginfo>?, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    EventSource.run(userdata)
}

/// An event source of the loop; releasing it ends the watch.
package final class EventSource {
    enum Handler {
        case io((Readiness) -> Void)
        case plain(() -> Void)
    }

    /// The accuracy of timers, in microseconds: lets the kernel combine wake-ups. Zero would mean 250 ms to sd-event.
    static let timerAccuracy: UInt64 = 1_000

    private let handler: Handler
    private var pointer: OpaquePointer?

    init(_ handler: Handler) {
        self.handler = handler
    }

    deinit {
        _ = sd_event_source_disable_unref(pointer)
    }

    /// Passes libsystemd the pointers to its source and to this object.
    func attach(
        _ operation: String,
        _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(SystemError) {
        // Unretained: the source never outlives this object, whose deinit removes it.
        try check(add(&pointer, Unmanaged.passUnretained(self).toOpaque()), operation)
    }

    package func setInterest(_ interest: Readiness) {
        _ = sd_event_source_set_io_events(pointer, interest.rawValue)
    }

    /// Starts or restarts the timer: it fires once, in this many seconds.
    package func fire(after seconds: Double) {
        let microseconds = UInt64(max(seconds, 0) * 1_000_000)
        _ = sd_event_source_set_time_relative(pointer, microseconds)
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT))
    }

    /// Disables the source until it is started again.
    package func pause() {
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
    }

    /// Enables the source after ``pause()``.
    package func resume() {
        _ = sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ON))
    }

    /// Calls the handler from libsystemd's callback, on the loop's thread.
    static func run(
        _ userdata: UnsafeMutableRawPointer?, readiness: Readiness = []
    ) -> Int32 {
        guard let userdata else { return 0 }
        // Only the handler is kept while it runs: a source that it releases ends before its descriptor is closed and used again.
        let handler = Unmanaged<EventSource>.fromOpaque(userdata).takeUnretainedValue().handler
        switch handler {
        case .io(let handler): handler(readiness)
        case .plain(let handler): handler()
        }
        return 0
    }
}
