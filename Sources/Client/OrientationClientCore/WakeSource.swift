// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Posix
internal import Varlink

/// One descriptor that is readable when a timer has fired or a socket is ready: an epoll instance with a timerfd, at most one
/// socket, and on demand an alarm, a second timerfd. Owns all but the socket.
struct WakeSource: ~Copyable {
    private let epoll: OwnedDescriptor
    private let timer: TimerDescriptor
    private var alarm: TimerDescriptor?
    private var socket: Int32?
    private var events: UInt32 = 0

    /// Creates the descriptors.
    ///
    /// - Throws: `SocketError/outOfDescriptors` and others.
    init() throws(SocketError) {
        let epoll: OwnedDescriptor
        do throws(Errno) { epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC))) } catch {
            throw SocketError(error, "create an epoll instance")
        }
        let timer: TimerDescriptor
        do throws(Errno) { timer = try TimerDescriptor() } catch { throw SocketError(error, "create a timerfd") }
        try epoll.control(EPOLL_CTL_ADD, timer.descriptor, EPOLLIN.rawValue)
        self.init(epoll: epoll, timer: timer)
    }

    /// Separate from the initializer that can fail: Swift 6.2 crashes on fields with a value before an error.
    private init(epoll: consuming OwnedDescriptor, timer: consuming TimerDescriptor) {
        self.epoll = epoll
        self.timer = timer
    }

    /// The descriptor to poll.
    var descriptor: Int32 { epoll.number }

    /// What woke the caller.
    struct Ready {
        var timer = false
        var alarm = false
        var socket = false
    }

    /// Returns what is ready, without waiting.
    func poll() -> Ready {
        var found = [epoll_event](repeating: epoll_event(), count: 3)
        let count = epoll_wait(epoll.number, &found, Int32(found.count), 0)
        var ready = Ready()
        for event in found.prefix(Int(max(count, 0))) {
            switch event.data.fd {
            case timer.descriptor: ready.timer = true
            case socket: ready.socket = true
            default: ready.alarm = true
            }
        }
        return ready
    }

    /// Starts the timer; 0 or less fires it immediately, nil stops it.
    func setTimer(after seconds: Double?) { timer.set(after: seconds) }

    /// Starts the alarm, as the timer. Its descriptor is created when it is first started; without a free one, or memory,
    /// there is no alarm, and the next state wakes the caller.
    mutating func setAlarm(after seconds: Double?) {
        if alarm == nil, seconds != nil, let created = try? TimerDescriptor(),
            (try? epoll.control(EPOLL_CTL_ADD, created.descriptor, EPOLLIN.rawValue)) != nil
        {
            alarm = consume created
        }
        alarm?.set(after: seconds)
    }

    /// Whether the timer is running or has fired.
    var isTimerSet: Bool { timer.isRunning || poll().timer }

    /// Watches a socket for readability, and for writability on demand.
    ///
    /// - Throws: `SocketError`.
    mutating func watch(_ socket: Int32, forWriting: Bool) throws(SocketError) {
        let events = EPOLLIN.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
        guard self.socket != socket || self.events != events else { return }
        let operation = self.socket == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        try epoll.control(operation, socket, events)
        self.socket = socket
        self.events = events
    }

    /// Stops watching the socket; required before it is closed, since a child process may hold a copy of it.
    mutating func unwatch() {
        guard let socket else { return }
        // Fails only for a socket that is not watched.
        try? epoll.control(EPOLL_CTL_DEL, socket, 0)
        self.socket = nil
    }
}

extension OwnedDescriptor {
    /// Changes the set of an epoll instance.
    fileprivate borrowing func control(
        _ operation: Int32, _ descriptor: Int32, _ events: UInt32
    ) throws(SocketError) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        guard epoll_ctl(number, operation, descriptor, &event) == 0 else {
            throw .failed(operation: "watch a descriptor", errno: errno)
        }
    }
}
