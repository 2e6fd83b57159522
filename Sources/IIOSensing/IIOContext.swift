// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc
internal import Sensing

/// A connection to a set of IIO devices: those of this machine, of a board on the network, or of an instrument on USB.
///
/// It owns libiio's context. Each ``IIODevice``, ``IIOChannel``, ``IIOWritableAttribute`` and ``IIOBuffer`` holds a
/// reference to it, because their handles point into it: the last one to be released closes the context.
final class IIOContext {
    /// The timeout for a reply from a remote context, in milliseconds.
    private static let timeout: UInt32 = 2_000

    private let handle: OpaquePointer
    /// Whether the devices are local, so that sysfs and udev use the same names.
    let isLocal: Bool

    /// Takes ownership of a libiio context.
    init(owning handle: OpaquePointer, isLocal: Bool) {
        self.handle = handle
        self.isLocal = isLocal
    }

    /// Opens the local devices, or those of a libiio URI such as `ip:192.168.2.1`.
    convenience init(uri: String?) throws(SensorFailure) {
        if let reason = ciio_load() { throw ContextError.notLoaded(reason: String(cString: reason)) }
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
            // libiio reports a description over the limit as an invalid one.
            let code = !isLocal && ContextLimits.wasExceeded ? ENOMEM : errno
            throw uri.map { ContextError.failure(uri: $0, code: code) } ?? ContextError.localFailure(code: code)
        }
        self.init(owning: opened, isLocal: isLocal)
        if !isLocal { _ = iio_context_set_timeout(opened, Self.timeout) }
    }

    deinit {
        iio_context_destroy(handle)
    }

    /// All devices including triggers, in no particular order.
    var devices: [IIODevice] {
        (0..<iio_context_get_devices_count(handle)).compactMap { index in
            iio_context_get_device(handle, index).map { IIODevice(handle: $0, context: self) }
        }
    }
}

/// Failures to open a context, in terms of the connection. libiio's errno can be misleading: for an unknown host name it
/// is ETXTBSY ("Text file busy"), for example.
enum ContextError {
    static func notLoaded(reason: String) -> SensorFailure {
        .unusable("cannot load libiio: \(reason); install libiio 0.x")
    }

    static func failure(uri: String, code: Int32) -> SensorFailure {
        let isNetwork = uri.hasPrefix("ip:")
        let start = "cannot open the IIO context '\(uri)'"
        return switch code {
        // A retry cannot succeed.
        case EINVAL where !isNetwork: .unusable("\(start): invalid address")
        case ENOSYS: .unusable("\(start): libiio was built without support for this type of context")
        default: .failed("\(start): \(reason(code, isNetwork: isNetwork))")
        }
    }

    /// Remote contexts are opened only if the limits of libxml2 can be set.
    static func unlimited(uri: String) -> SensorFailure {
        .unusable("cannot open the IIO context '\(uri)': cannot limit libiio's XML parser: it is not libxml2")
    }

    /// Returns the failure to open the local context. ENOENT is expected without IIO devices: the kernel's IIO core is a
    /// module that is loaded with the first driver.
    static func localFailure(code: Int32) -> SensorFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case 0, ENOENT, ENODEV, ENXIO: .noDevice("no IIO devices found on this machine (\(reason))")
        default: .failed("cannot list this machine's IIO devices: \(reason)")
        }
    }

    private static func reason(_ code: Int32, isNetwork: Bool) -> String {
        switch code {
        case ECONNREFUSED: "connection refused; start iiod on the host"
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN: "no route to the host"
        case ETIMEDOUT, EAGAIN, EINPROGRESS: "timed out"
        // The address is valid by now: EINVAL means an invalid reply.
        case EINVAL: "invalid reply; is the server iiod?"
        case ENOMEM:
            "its description exceeds \(ContextLimits.text >> 20) MiB of text or \(ContextLimits.tree >> 20) MiB of memory"
        case ECONNRESET, EPIPE: "connection closed by the host; is the server iiod?"
        case EACCES, EPERM, EAFNOSUPPORT:
            "denied by the sandbox of the service; add a drop-in to the systemd unit (see orientationd(8))"
        case ENOENT, ENXIO, ENODEV, ETXTBSY: isNetwork ? "host not found" : "device not found"
        default: String(cString: strerror(code))
        }
    }
}
