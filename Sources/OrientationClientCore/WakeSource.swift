// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Varlink

/// One descriptor that is readable when a timer has fired or a socket is ready: an epoll instance with a timerfd, at most one
/// socket, and on demand an alarm, a second timerfd. Owns all but the socket.
struct WakeSource: ~Copyable {
    private let epoll: OwnedDescriptor
    private let timer: OwnedDescriptor
    private var alarm: OwnedDescriptor?
    private var socket: Int32?
    private var events: UInt32 = 0

    /// Creates the descriptors.
    ///
    /// - Throws: `SocketError/outOfDescriptors` and others.
    init() throws(SocketError) {
        let epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), "create an epoll instance")
        let timer = try OwnedDescriptor.timer()
        try epoll.control(EPOLL_CTL_ADD, timer.number, EPOLLIN.rawValue)
        self.init(epoll: epoll, timer: timer)
    }

    /// Separate from the initializer that can fail: Swift 6.2 crashes on fields with a value before an error.
    private init(epoll: consuming OwnedDescriptor, timer: consuming OwnedDescriptor) {
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
            case timer.number: ready.timer = true
            case socket: ready.socket = true
            default: ready.alarm = true
            }
        }
        return ready
    }

    /// Starts the timer; 0 or less fires it immediately, nil stops it.
    func setTimer(after seconds: Double?) { timer.setTimer(after: seconds) }

    /// Starts the alarm, as the timer. Its descriptor is created when it is first started.
    mutating func setAlarm(after seconds: Double?) {
        if alarm == nil, seconds != nil, let created = try? OwnedDescriptor.timer(),
            (try? epoll.control(EPOLL_CTL_ADD, created.number, EPOLLIN.rawValue)) != nil
        {
            alarm = consume created
        }
        alarm?.setTimer(after: seconds)
    }

    /// Whether the timer is running or has fired.
    var isTimerSet: Bool {
        var time = itimerspec()
        timerfd_gettime(timer.number, &time)
        return time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0 || poll().timer
    }

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
        try? epoll.control(EPOLL_CTL_DEL, socket, 0)
        self.socket = nil
    }
}

/// A descriptor that is closed in `deinit`.
private struct OwnedDescriptor: ~Copyable {
    let number: Int32

    /// Adopts the result of a system call.
    ///
    /// - Throws: `SocketError` if it is negative, for the current `errno`.
    init(_ number: Int32, _ operation: String) throws(SocketError) {
        guard number >= 0 else {
            throw [EMFILE, ENFILE].contains(errno)
                ? .outOfDescriptors : .failed(operation: operation, errno: errno)
        }
        self.number = number
    }

    deinit { close(number) }

    /// Creates a timerfd that is not running.
    static func timer() throws(SocketError) -> OwnedDescriptor {
        try OwnedDescriptor(
            timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)), "create a timerfd")
    }

    /// Starts a timerfd; 0 or less fires it immediately, nil stops it.
    borrowing func setTimer(after seconds: Double?) {
        var time = itimerspec()
        if let seconds {
            let nanoseconds = Int(max(seconds * 1e9, 1))
            time.it_value = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        }
        timerfd_settime(number, 0, &time, nil)
    }

    /// Changes the set of an epoll instance.
    borrowing func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) throws(SocketError) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        guard epoll_ctl(number, operation, descriptor, &event) == 0 else {
            throw .failed(operation: "watch a descriptor", errno: errno)
        }
    }
}
