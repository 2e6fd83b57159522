// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Passes the newest value from one thread to one other, without locks and system calls.
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
    /// The slot that belongs to neither thread, with ``unreadFlag`` after a write.
    private let shared = Atomic<UInt>(2)
    /// The slot of the writer.
    private var writerSlot: UInt = 0
    /// The slot of the reader.
    private var readerSlot: UInt = 1

    private static var unreadFlag: UInt { 4 }

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
        slots[Int(writerSlot)] = value
        writerSlot = shared.exchange(writerSlot | Self.unreadFlag, ordering: .acquiringAndReleasing) & ~Self.unreadFlag
    }

    /// Returns the newest value; for the reader only.
    func read() -> Value {
        if shared.load(ordering: .relaxed) & Self.unreadFlag != 0 {
            readerSlot = shared.exchange(readerSlot, ordering: .acquiringAndReleasing) & ~Self.unreadFlag
        }
        return slots[Int(readerSlot)]
    }
}
