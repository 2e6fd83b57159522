// SPDX-License-Identifier: Apache-2.0

internal import CPosix

/// Sends one message to many sockets with one system call (io_uring).
///
/// After each send(2), the scheduler may run the client that the message woke before the next message is sent. With one
/// call per 128 sockets it rarely does so: see `Benchmarks/README.md`.
final class SendRing {
    /// The results of a call.
    struct Results {
        /// For each of the first sockets the result of send(2): the number of bytes, or a negative error number, which is
        /// EIO if the result is unknown.
        var values: [Int32]
        /// Whether a socket has no result, or an unknown one: the ring must not be used again.
        var hasFailed = false
    }

    /// The maximum number of sockets per system call.
    static let capacity = 128

    private let ring: OpaquePointer

    /// Creates a ring; nil before Linux 5.7 (no IORING_FEAT_FAST_POLL), or if the kernel does not permit io_uring
    /// (`kernel.io_uring_disabled`, or a filter of system calls), or lacks memory or descriptors.
    init?() {
        guard let ring = cposix_send_ring_create(UInt32(Self.capacity)) else { return nil }
        self.ring = ring
    }

    deinit { cposix_send_ring_destroy(ring) }

    /// The descriptor of the ring; owned by this object.
    var descriptor: Int32 { cposix_send_ring_descriptor(ring) }

    /// Sends the same bytes to at most ``capacity`` sockets, without blocking and without SIGPIPE.
    func send(_ bytes: UnsafeRawBufferPointer, to sockets: [Int32]) -> Results {
        precondition(sockets.count <= Self.capacity)
        var results = Results(values: [])
        results.values = Array(unsafeUninitializedCapacity: sockets.count) { values, count in
            count = cposix_send_ring_send(
                ring, sockets, sockets.count, bytes.baseAddress, bytes.count, values.baseAddress, &results.hasFailed)
        }
        return results
    }
}
