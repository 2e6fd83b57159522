// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc
internal import Sensing

/// The IIO devices of this machine.
///
/// It owns libiio's context, and keeps libiio loaded while the context is open. Each ``IIODevice``, ``IIOChannel``,
/// ``IIOWritableAttribute`` and ``IIOBuffer`` holds a reference to it, because their handles point into it: the last one to
/// be released closes the context.
///
/// It can be closed earlier with ``closeUntilNextUse()``: a polled device needs only its files. Devices and channels
/// then open it again when they are used, and find their handles by their names (``ContextHandle``).
final class IIOContext {
    private let opening: () throws(SensorFailure) -> OpaquePointer
    private var handle: OpaquePointer?
    /// The number of buffers, which keep the context open.
    private var buffers = 0
    /// How many times the context has been opened: handles from before the last time are invalid.
    private(set) var generation = 0

    /// Calls `opening`, and owns the context that it returns. libiio is loaded before each call of `opening`.
    init(opening: @escaping () throws(SensorFailure) -> OpaquePointer) throws(SensorFailure) {
        self.opening = opening
        _ = try open()
    }

    /// Opens the devices of this machine.
    convenience init() throws(SensorFailure) {
        try self.init { () throws(SensorFailure) in
            errno = 0
            guard let opened = iio_create_local_context() else { throw ContextError.failure(code: errno) }
            return opened
        }
    }

    deinit {
        close()
    }

    /// All devices including triggers, in no particular order.
    var devices: [IIODevice] { deviceHandles.map { IIODevice(handle: $0, context: self) } }

    /// Returns the handle of a device; nil if it is absent.
    func deviceHandle(id: String) -> OpaquePointer? {
        deviceHandles.first { iio_device_get_id($0).map { String(cString: $0) } == id }
    }

    private var deviceHandles: [OpaquePointer] {
        guard let handle = try? open() else { return [] }
        return (0..<iio_context_get_devices_count(handle)).compactMap { iio_context_get_device(handle, $0) }
    }
}

// MARK: Opening and closing

extension IIOContext {
    /// Opens the context unless it is open.
    @discardableResult
    func open() throws(SensorFailure) -> OpaquePointer {
        if let handle { return handle }
        try Self.load()
        do throws(SensorFailure) {
            let opened = try opening()
            handle = opened
            generation += 1
            return opened
        } catch {
            ciio_unload()
            throw error
        }
    }

    /// Closes the context until its next use, unless a buffer exists. libiio is unloaded if no other context is open,
    /// which releases 210 KiB; loading it and opening the context again takes 1.5 ms.
    func closeUntilNextUse() {
        if buffers == 0 { close() }
    }

    func addBuffer() { buffers += 1 }
    func removeBuffer() { buffers -= 1 }

    private func close() {
        guard let handle else { return }
        self.handle = nil
        iio_context_destroy(handle)
        ciio_unload()
    }

    private static func load() throws(SensorFailure) {
        let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> String? in
            guard let base = buffer.baseAddress, !ciio_load(base, buffer.count) else { return nil }
            return String(cString: base)
        }
        if let reason { throw ContextError.notLoaded(reason: reason) }
    }
}

/// The handle of a device or a channel, which is found again after its context was closed.
final class ContextHandle {
    let context: IIOContext
    private let find: (IIOContext) -> OpaquePointer?
    private var handle: OpaquePointer?
    /// The generation of the context to which the handle belongs.
    private var generation: Int

    /// Creates a reference to a handle of an open context. `find` returns the handle after the context was opened again, or nil if
    /// the object is absent.
    init(_ handle: OpaquePointer, context: IIOContext, find: @escaping (IIOContext) -> OpaquePointer?) {
        self.handle = handle
        self.context = context
        self.find = find
        generation = context.generation
    }

    /// The handle, valid until the context is closed; nil if the context cannot be opened or the device or the channel is
    /// absent. Opens the context.
    var current: OpaquePointer? {
        guard (try? context.open()) != nil else { return nil }
        if generation != context.generation {
            handle = find(context)
            generation = context.generation
        }
        return handle
    }

    /// Calls a libiio function with the handle, while the context is open; returns `missing` without a handle.
    func with<Result>(
        else missing: @autoclosure () -> Result, _ body: (OpaquePointer) -> Result
    ) -> Result {
        withExtendedLifetime(context) { current.map(body) ?? missing() }
    }
}

/// Failures to open a context.
enum ContextError {
    static func notLoaded(reason: String) -> SensorFailure {
        .unusable("cannot load libiio: \(reason); install libiio 0.x")
    }

    /// Returns the failure for an errno. ENOENT is expected without IIO devices: the kernel's IIO core is a module that
    /// is loaded with the first driver.
    static func failure(code: Int32) -> SensorFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case 0, ENOENT, ENODEV, ENXIO: .noDevice("no IIO devices found on this machine (\(reason))")
        default: .failed("cannot list this machine's IIO devices: \(reason)")
        }
    }
}
