// SPDX-License-Identifier: Apache-2.0

internal import CPosix

/// Sends one message to many sockets with one system call (io_uring).
///
/// After each send(2), the scheduler may run the process that the message woke before this one sends the next message.
/// One call for all sockets causes at most one such switch: see `Benchmarks/README.md`.
final class SendRing {
    /// The maximum number of sockets per system call. 128: the ring takes 20 KiB of the kernel's memory.
    static let capacity = 128

    private let ring: OpaquePointer

    /// Creates a ring; nil if the kernel has no io_uring that sends (before Linux 5.7), or does not permit it:
    /// `kernel.io_uring_disabled`, or a filter of system calls.
    init?() {
        guard let ring = cposix_send_ring_create(UInt32(Self.capacity)) else { return nil }
        self.ring = ring
    }

    deinit { cposix_send_ring_destroy(ring) }

    /// The descriptor of the ring; owned by this object.
    var descriptor: Int32 { cposix_send_ring_descriptor(ring) }

    /// Sends the same bytes to the first ``capacity`` sockets, without blocking and without SIGPIPE.
    ///
    /// - Returns: the result of send(2) for each of these sockets: the number of bytes, or a negative error number. If
    ///   there are fewer results, the ring has failed, and must not be used again.
    func send(_ bytes: UnsafeRawBufferPointer, to sockets: some Sequence<Int32>) -> [Int32] {
        let sockets = Array(sockets.prefix(Self.capacity))
        return Array(unsafeUninitializedCapacity: sockets.count) { results, count in
            count = cposix_send_ring_send(
                ring, sockets, sockets.count, bytes.baseAddress, bytes.count, results.baseAddress)
        }
    }
}
