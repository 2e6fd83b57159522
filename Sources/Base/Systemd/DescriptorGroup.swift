// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// Watches many descriptors of one kind, such as the sockets of all clients, and handles a bounded number of them per
/// iteration of the loop.
///
///     let group = try DescriptorGroup(on: loop) { tag, readiness in … }
///     try group.add(socket, for: .read, tag: 7)
///
/// sd-event is meant for tens of sources. It collects all ready sources and sorts each into its queues: 0.6 ms per
/// socket were measured with 4000 ready sockets. The kernel keeps ready descriptors in the order in which they became
/// ready, so handling ``batch`` of them at a time is fair, at a cost that does not depend on their number.
///
/// The loop polls this epoll descriptor in addition to that of sd-event. It must not be a source of sd-event: adding a
/// descriptor to a nested epoll instance takes a lock that the whole system shares, which any user can hold for
/// seconds.
package final class DescriptorGroup {
    /// The number of ready descriptors handled in one iteration of the loop. 32: the calls of 32 clients take a few
    /// milliseconds, compared to which the three system calls per iteration are cheap.
    package static let batch = 32

    /// The epoll descriptor, which is readable while a descriptor of the group is ready.
    var descriptor: Int32 { epoll.number }
    private let epoll: OwnedDescriptor
    private let handler: (Int, Readiness) -> Void
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: batch)
    /// By descriptor.
    private var members: [Member] = []
    private var lastSerial: UInt32 = 0

    private struct Member {
        /// Distinguishes a descriptor from an earlier one with the same number; 0 if none is watched.
        var serial: UInt32 = 0
        var tag = 0
    }

    /// Creates an empty group, the only one of its loop.
    ///
    /// The handler is called with the tag of a descriptor that is ready, once per iteration. It may add and remove
    /// descriptors: a removed descriptor is no longer reported, not even in the same iteration.
    package init(
        on loop: EventLoop, handler: @escaping (_ tag: Int, Readiness) -> Void
    ) throws(SystemError) {
        do throws(Errno) { epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC))) } catch {
            throw SystemError(operation: "create an epoll descriptor", code: error.code)
        }
        self.handler = handler
        loop.group = self
    }

    deinit { events.deallocate() }

    /// Watches a descriptor until ``remove(_:)``. The tag is passed to the handler.
    package func add(_ descriptor: Int32, for interest: Readiness, tag: Int) throws(SystemError) {
        // Serials repeat only after 4 billion descriptors, and are compared within one iteration.
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        let number = Int(descriptor)
        while members.count <= number { members.append(Member()) }
        try check(control(EPOLL_CTL_ADD, descriptor, interest, lastSerial), "watch descriptor \(descriptor)")
        members[number] = Member(serial: lastSerial, tag: tag)
    }

    /// Changes the interest in a watched descriptor.
    package func setInterest(_ interest: Readiness, of descriptor: Int32) {
        _ = control(EPOLL_CTL_MOD, descriptor, interest, members[Int(descriptor)].serial)
    }

    /// Ends the watch of a descriptor. Call this before closing it: the kernel ends the watch only once no thread or
    /// process has a copy of the descriptor.
    package func remove(_ descriptor: Int32) {
        _ = control(EPOLL_CTL_DEL, descriptor, [], 0)
        members[Int(descriptor)] = Member()
    }

    /// Handles the descriptors that have been ready longest, at most ``batch``.
    func handleBatch() {
        let count = epoll_wait(descriptor, events, Int32(Self.batch), 0)
        for event in UnsafeBufferPointer(start: events, count: max(Int(count), 0)) {
            let number = Int(event.data.u64 & UInt64(UInt32.max))
            guard members[number].serial == UInt32(event.data.u64 >> 32) else { continue }
            handler(members[number].tag, Readiness(rawValue: event.events))
        }
    }

    /// Returns 0 or the negative errno.
    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Readiness, _ serial: UInt32) -> Int32 {
        var event = epoll_event()
        event.events = interest.rawValue
        event.data.u64 = UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
        return epoll_ctl(self.descriptor, operation, descriptor, &event) < 0 ? -errno : 0
    }
}
