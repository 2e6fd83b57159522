// SPDX-License-Identifier: Apache-2.0

internal import CIIO

/// A device's buffer that runs; letting go of it stops it. It must not outlive the ``IIOContext``.
struct IIOBuffer: ~Copyable {
    /// Scans that the kernel keeps for us: at 200 Hz a reader may be 0.3 s late before one is lost.
    static let kernelScans: UInt32 = 64

    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
        _ = iio_buffer_set_blocking_mode(handle, false)
    }

    deinit {
        iio_buffer_destroy(handle)
    }

    /// Readable when there is a scan; negative where there is nothing to wait for.
    var descriptor: Int32 { iio_buffer_get_poll_fd(handle) }

    /// Takes the next scan out of the kernel, without waiting: the number of bytes, or a negative errno.
    func refill() -> Int { iio_buffer_refill(handle) }

    /// Where a channel's number lies in the scan that was taken.
    func firstScan(of channel: OpaquePointer) -> UnsafeMutableRawPointer? {
        iio_buffer_first(handle, channel)
    }
}

/// Why there is no buffer: an errno.
struct BufferError: Error {
    let code: Int32
}
