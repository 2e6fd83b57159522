// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// An event node of the input subsystem (evdev), open for reading.
final class EventNode: Sendable {
    private let node: OwnedDescriptor

    /// Readable when events are queued, or the device was removed.
    var descriptor: Int32 { node.number }

    /// The description of an absolute axis, as EVIOCGABS returns it.
    struct AbsoluteAxis: Hashable, Sendable {
        /// The last value.
        let value: Int32
        /// Units per g for an accelerometer; 0 if unknown.
        let resolution: Int32
    }

    struct Event: Hashable, Sendable {
        let type: UInt16
        let code: UInt16
        let value: Int32

        /// The size of `struct input_event`, in bytes: two words of time, and the members above.
        static let size = 2 * MemoryLayout<UInt>.size + 8
        /// EV_SYN with SYN_DROPPED: the kernel's queue was full, and events were lost.
        static let dropped = Event(type: 0, code: 3, value: 0)
        /// EV_ABS.
        static let absolute: UInt16 = 3
        /// EV_SW.
        static let toggle: UInt16 = 5
    }

    convenience init(path: String) throws(Errno) {
        self.init(owning: try OwnedDescriptor(opening: path, O_RDONLY | O_NONBLOCK))
    }

    /// Takes ownership of a nonblocking descriptor.
    init(owning node: consuming OwnedDescriptor) { self.node = node }

    /// Reads the queued events, at most ``readsAtOnce`` times: a device that sends faster than it is read must not occupy the
    /// caller, and the descriptor stays readable. Returns false if the device was removed.
    func drain(_ body: (Event) -> Void = { _ in }) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
            for _ in 0..<Self.readsAtOnce {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
                let time = Event.size - 8
                for start in stride(from: 0, through: count - Event.size, by: Event.size) {
                    let event = UnsafeRawBufferPointer(buffer)
                    body(
                        Event(
                            type: event.loadUnaligned(fromByteOffset: start + time, as: UInt16.self),
                            code: event.loadUnaligned(fromByteOffset: start + time + 2, as: UInt16.self),
                            value: event.loadUnaligned(fromByteOffset: start + time + 4, as: Int32.self)))
                }
            }
            return true
        }
    }

    /// 16 reads of 42 events: the kernel queues 64 events or 8 packets of a device.
    private static let readsAtOnce = 16

    /// The bytes read at once: 42 events on 64-bit machines.
    private static let bufferSize = 1_024

    /// Returns an absolute axis; nil on error.
    func axis(_ code: UInt) -> AbsoluteAxis? {
        // struct input_absinfo: value, minimum, maximum, fuzz, flat, resolution.
        var info: (Int32, Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0, 0)
        guard withUnsafeMutableBytes(of: &info, { get(0x40 + code, $0) }) else { return nil }
        return AbsoluteAxis(value: info.0, resolution: info.5)
    }

    /// Returns 64 bits by the number of an ioctl, such as the states of switches; nil on error.
    func bits(_ number: UInt) -> UInt64? {
        var bits: UInt64 = 0
        return withUnsafeMutableBytes(of: &bits) { get(number, $0) } ? bits : nil
    }

    /// Limits what the kernel queues for this descriptor to events of one type, and drops what it has queued already,
    /// unread. Returns false if it cannot: before Linux 4.4, or in an emulation.
    func limitEvents(to type: UInt16) -> Bool {
        var types: UInt64 = 1 << type
        return withUnsafeMutablePointer(to: &types) { types in
            // struct input_mask: type 0 for a mask of types, its size in bytes, its address.
            var mask = (UInt32(0), UInt32(8), UInt64(UInt(bitPattern: types)))
            // EVIOCSMASK. Then EVIOCSCLOCKID: the kernel empties the queue when the clock changes.
            var clock = CLOCK_MONOTONIC
            return withUnsafeMutableBytes(of: &mask) { set(0x93, $0) }
                && withUnsafeMutableBytes(of: &clock) { set(0xA0, $0) }
        }
    }

    /// Performs _IOC(_IOC_WRITE, 'E', number, size); see ``get(_:_:)``.
    private func set(_ number: UInt, _ value: UnsafeMutableRawBufferPointer) -> Bool {
        guard let memory = value.baseAddress else { return false }
        return ioctl(descriptor, 1 << 30 | UInt(value.count) << 16 | 0x45 << 8 | number, memory) >= 0
    }

    /// Performs _IOC(_IOC_READ, 'E', number, size), a C macro that Swift does not import.
    private func get(_ number: UInt, _ value: UnsafeMutableRawBufferPointer) -> Bool {
        guard let memory = value.baseAddress else { return false }
        return ioctl(descriptor, 2 << 30 | UInt(value.count) << 16 | 0x45 << 8 | number, memory) >= 0
    }
}
