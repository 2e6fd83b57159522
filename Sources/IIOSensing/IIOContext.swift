// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc
internal import Sensing

/// A connection to a set of IIO devices: this machine's, a board's on the network, an instrument's on USB.
///
/// It owns libiio's handle. What it hands out (``IIODevice``, ``IIOChannel``) points into it and must not outlive it.
struct IIOContext: ~Copyable {
    /// How long a remote context may keep us waiting for one answer, in milliseconds.
    private static let timeout: UInt32 = 2_000

    private let handle: OpaquePointer
    /// Whether the devices are this machine's own, so that sysfs and udev know them by the same names.
    let isLocal: Bool

    /// Opens this machine's devices, or those of a libiio URI such as `ip:192.168.2.1`.
    init(uri: String?) throws(SensorFailure) {
        let isLocal = uri == nil || uri?.hasPrefix("local:") == true
        errno = 0
        let opened: OpaquePointer?
        if let uri, !isLocal {
            guard let limited = ContextLimits.open({ iio_create_context_from_uri(uri) }) else {
                throw ContextError.unlimited(uri: uri)
            }
            opened = limited
        } else {
            opened = uri.map { iio_create_context_from_uri($0) } ?? iio_create_local_context()
        }
        guard let opened else {
            // libiio's code of a description that was refused says that it is not understood.
            let code = !isLocal && ContextLimits.wasExceeded ? ENOMEM : errno
            throw uri.map { ContextError.failure(uri: $0, code: code) } ?? ContextError.localFailure(code: code)
        }
        handle = opened
        self.isLocal = isLocal
        if !isLocal { iio_context_set_timeout(handle, Self.timeout).ignored() }
    }

    deinit {
        iio_context_destroy(handle)
    }

    /// All devices, triggers included, in libiio's order, which means nothing.
    var devices: [IIODevice] {
        (0..<iio_context_get_devices_count(handle)).compactMap { index in
            iio_context_get_device(handle, index).map(IIODevice.init)
        }
    }
}

extension Int32 {
    /// Says that a result is of no consequence: libiio wants every one looked at.
    fileprivate func ignored() {}
}
