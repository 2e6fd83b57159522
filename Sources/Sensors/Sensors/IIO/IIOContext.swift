// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc
internal import Posix

/// The IIO devices of this machine.
///
/// It owns libiio's context. Each ``IIODevice``, ``IIOChannel`` and ``IIOBuffer`` holds a
/// reference to it, because their pointers point into it: the last one to be released closes the context.
final class IIOContext {
    private let pointer: OpaquePointer

    init() throws(SensorFailure) {
        errno = 0
        guard let opened = iio_create_local_context() else { throw Self.failure(code: errno) }
        pointer = opened
    }

    deinit {
        iio_context_destroy(pointer)
    }

    /// All devices including triggers, in no particular order.
    var devices: [IIODevice] {
        (0..<iio_context_get_devices_count(pointer)).compactMap { index in
            iio_context_get_device(pointer, index).map { IIODevice(ContextPointer($0, in: self)) }
        }
    }

    /// Returns the failure for an errno of opening the context. ENOENT is expected without IIO devices: the kernel's IIO
    /// core is a module that is loaded with the first driver.
    static func failure(code: Int32) -> SensorFailure {
        let reason = Errno(code)
        return code == 0 || Errno(code).isRemoval
            ? .noDevice("no IIO devices found on this machine (\(reason))")
            : .failed("cannot list this machine's IIO devices: \(reason)")
    }
}

/// A pointer to a device or a channel of a context, which it keeps open.
struct ContextPointer {
    let context: IIOContext
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer, in context: IIOContext) {
        self.pointer = pointer
        self.context = context
    }

    /// Calls a libiio function with the pointer, while the context is open.
    func use<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(context) { body(pointer) }
    }
}
