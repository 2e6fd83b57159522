// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The newest value of one thread for one other thread, without a lock and without a system call.
///
///     newest.write(classification)        // the sensor thread
///     let classification = newest.read()  // the event loop
///
/// Three slots: the writer and the reader own one each, and exchange it for the third. Neither waits for the other, and the
/// reader gets each value whole.
///
/// Unchecked: each slot belongs to one thread at a time; the exchange orders the accesses.
final class NewestValue<Value: Sendable>: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Value>
    /// The slot that belongs to neither thread, and ``isUnread`` after a write.
    private let shared = Atomic<UInt>(2)
    /// The slot of the writer.
    private var written: UInt = 0
    /// The slot of the reader.
    private var taken: UInt = 1

    private static var isUnread: UInt { 4 }

    init(_ value: Value) {
        slots = .allocate(capacity: 3)
        slots.initialize(repeating: value, count: 3)
    }

    deinit {
        slots.deinitialize(count: 3)
        slots.deallocate()
    }

    /// Stores a value; for the writer only.
    @inline(__always) func write(_ value: Value) {
        slots[Int(written)] = value
        written = shared.exchange(written | Self.isUnread, ordering: .acquiringAndReleasing) & ~Self.isUnread
    }

    /// Returns the newest value; for the reader only.
    func read() -> Value {
        if shared.load(ordering: .relaxed) & Self.isUnread != 0 {
            taken = shared.exchange(taken, ordering: .acquiringAndReleasing) & ~Self.isUnread
        }
        return slots[Int(taken)]
    }
}
