// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// The daemon's one loop: libsystemd's sd-event on the main thread.
///
/// Callbacks are synchronous and run on the main actor. Each `watch` and `timer` returns an ``EventSource``, which whoever asked
/// keeps: letting go of it ends the watch.
package final class EventLoop {
    /// The sd_event handle, for the rooms of this target that attach libsystemd objects of their own.
    let handle: OpaquePointer

    /// Makes the loop of the main thread.
    package init() throws(SystemError) {
        var handle: OpaquePointer?
        try check(sd_event_default(&handle), "make the event loop")
        guard let handle else { throw SystemError(operation: "make the event loop", code: ENOMEM) }
        self.handle = handle
    }

    isolated deinit {
        sd_event_unref(handle)
    }

    /// Runs until ``exit(status:)``; returns the status given there.
    package func run() throws(SystemError) -> Int32 {
        let status = sd_event_loop(handle)
        try check(status, "run the event loop")
        return status
    }

    /// Ends ``run()`` once the callback under way has returned.
    package func exit(status: Int32) {
        sd_event_exit(handle, status)
    }

    /// Sends systemd its keep-alive from this loop, where the unit has a watchdog (`WatchdogSec=`).
    package func keepWatchdogFed() {
        _ = sd_event_set_watchdog(handle, 1)
    }

    /// Calls `handler` whenever `descriptor` is ready for one of `interest`.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, handler: @escaping @MainActor (Readiness) -> Void
    ) throws(SystemError) -> EventSource {
        let source = EventSource(.io(handler))
        try source.attach("watch descriptor \(descriptor)") { pointer, userdata in
            sd_event_add_io(handle, pointer, descriptor, interest.rawValue, onReadiness, userdata)
        }
        return source
    }

    /// Makes a timer that is not running: ``EventSource/fire(after:)`` starts it, once.
    package func timer(handler: @escaping @MainActor () -> Void) throws(SystemError) -> EventSource {
        let source = EventSource(.plain(handler))
        try source.attach("make a timer") { pointer, userdata in
            sd_event_add_time_relative(
                handle, pointer, CLOCK_MONOTONIC, 0, EventSource.timerAccuracy, onTime, userdata)
        }
        source.pause()
        return source
    }

    /// Calls `handler` for each `signal`, which is blocked from here on in this thread and those it starts.
    package func watch(
        signal: Int32, handler: @escaping @MainActor () -> Void
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

/// What a descriptor is ready for, or is to be watched for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package nonisolated init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to read, or the end.
    package static let read = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    package static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has closed both directions, or the descriptor failed; reported without being asked for.
    package var isHungUp: Bool { rawValue & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
}

private nonisolated func onReadiness(
    _: OpaquePointer?, _: Int32, events: UInt32, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    EventSource.run(userdata, readiness: Readiness(rawValue: events))
}

private nonisolated func onTime(_: OpaquePointer?, _: UInt64, userdata: UnsafeMutableRawPointer?) -> Int32 {
    EventSource.run(userdata)
}

private nonisolated func onSignal(
    _: OpaquePointer?, _: UnsafePointer<signalfd_siginfo>?, userdata: UnsafeMutableRawPointer?
) -> Int32 {
    EventSource.run(userdata)
}
