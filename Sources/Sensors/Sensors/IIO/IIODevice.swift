// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc
internal import OrientationModel
internal import Posix

/// One device of an ``IIOContext``.
struct IIODevice {
    /// The kernel's name, for example `iio:device0`.
    let id: String
    private let pointer: ContextPointer

    init(_ pointer: ContextPointer) {
        id = String(cString: pointer.use { iio_device_get_id($0) })
        self.pointer = pointer
    }

    /// The driver's name, for example `kxcjk1013`; not the name of the chip on ACPI machines.
    var name: String? { pointer.use { iio_device_get_name($0).map { String(cString: $0) } } }

    /// The firmware's label, for example `accel-display`.
    var label: String? { pointer.use { iio_device_get_label($0).map { String(cString: $0) } } }

    /// Returns the input channel with this name or id. libiio gives some channels the id of a shorter name:
    /// `rot_from_north_magnetic_tilt_comp` has the id `rot_from_north_magnetic`.
    func channel(_ name: String) -> IIOChannel? {
        if let channel = channel(id: name) { return channel }
        var id = name[...]
        while let end = id.lastIndex(of: "_") {
            id = id[..<end]
            if let channel = channel(id: String(id)), channel.rawName == "in_\(name)_raw" { return channel }
        }
        return nil
    }

    private func channel(id: String) -> IIOChannel? {
        pointer.use { iio_device_find_channel($0, id, false) }
            .map { IIOChannel(ContextPointer($0, in: pointer.context)) }
    }

    var folder: SysfsFolder { .iio(id) }

    /// Creates a buffer of the enabled channels. libiio stops any other capture from the device, even if it then fails.
    func makeBuffer() throws(Errno) -> IIOBuffer {
        errno = 0
        let buffer = pointer.use { pointer in
            _ = iio_device_set_kernel_buffers_count(pointer, IIOBuffer.kernelScans)
            return iio_device_create_buffer(pointer, 1, false)
        }
        guard let buffer else { throw .current }
        return IIOBuffer(buffer, in: pointer.context)
    }
}

// MARK: Buffer and trigger

extension IIODevice {
    /// Why a capture would disturb another program: one has enabled the buffer, or that cannot be read. Nil if the buffer is
    /// disabled, and without one.
    var captureConflict: String? {
        var isEnabled = false
        let code = pointer.use { iio_device_buffer_attr_read_bool($0, "enable", &isEnabled) }
        if code == 0 { return isEnabled ? "another program captures from the buffer" : nil }
        return Errno(-code).isRemoval ? nil : "cannot read buffer/enable: \(Errno(-code))"
    }

    /// Why libiio would find no channel in scans: it could not read the position of one, which it ignores. Nil if it could.
    var scanDefect: String? {
        pointer.use { device in
            let channels = (0..<iio_device_get_channels_count(device)).compactMap { iio_device_get_channel(device, $0) }
            return channels.contains { iio_channel_is_scan_element($0) && iio_channel_get_index($0) < 0 }
                ? "cannot read the index of a channel in scan_elements" : nil
        }
    }

    /// Whether a process has the device node open. The kernel admits one; a buffer left enabled by a
    /// killed process does not count.
    var isNodeInUse: Bool { openNode() == EBUSY }

    /// Whether the buffer can be opened: it is disabled, and its node is accessible.
    var isBufferAvailable: Bool { captureConflict == nil && openNode() == 0 }

    /// Opens and closes the node, which does not stop a capture; returns 0 or an errno.
    private func openNode() -> Int32 {
        do throws(Errno) {
            _ = try OwnedDescriptor(opening: "/dev/\(id)", O_RDONLY | O_NONBLOCK)
            return 0
        } catch {
            return error.code
        }
    }

    /// What triggers the scans of the buffer.
    var trigger: CapturePlan.Trigger {
        var trigger: OpaquePointer?
        switch pointer.use({ iio_device_get_trigger($0, &trigger) }) {
        case 0:
            let name = trigger.flatMap { IIODevice(ContextPointer($0, in: pointer.context)).name }
            if let name { return .attached(name) }
        // A trigger that libiio does not list.
        case -ENXIO: return .attached("unknown")
        // For an empty attribute the errno depends on the version of libiio. Only if the attribute does not exist does
        // the chip need no trigger.
        default: if !folder.has(SavedSettings.trigger) { return .unneeded }
        }
        return ownTrigger.map { .own($0) } ?? .missing
    }

    /// The name of the trigger that the device's driver registered; nil if there is none.
    private var ownTrigger: String? {
        guard let name else { return nil }
        let names = ["\(name)-dev\(id.trailingDigits)", "\(name)-trigger"]
        let triggers = pointer.context.devices.filter { $0.pointer.use { iio_device_is_trigger($0) } }
        return names.first { own in triggers.contains { $0.name == own } }
    }
}

// MARK: The buffer

/// The enabled buffer of a device; releasing it disables the buffer. It keeps the context open.
final class IIOBuffer {
    /// The number of scans in the kernel's buffer: 0.3 s at 200 Hz. An interval of ``ScanPace`` uses at most half of it.
    static let kernelScans: UInt32 = 64

    private let pointer: OpaquePointer
    private let context: IIOContext

    init(_ pointer: OpaquePointer, in context: IIOContext) {
        self.pointer = pointer
        self.context = context
        _ = iio_buffer_set_blocking_mode(pointer, false)
    }

    deinit {
        withExtendedLifetime(context) { iio_buffer_destroy(pointer) }
    }

    /// A descriptor that is readable when a scan is available; negative if there is none.
    var descriptor: Int32 { iio_buffer_get_poll_fd(pointer) }

    /// Reads the next scan without blocking; returns the number of bytes, or a negative errno.
    func refill() -> Int { iio_buffer_refill(pointer) }

    /// Returns the position of a channel's value in the current scan.
    func firstScan(of channel: OpaquePointer) -> UnsafeMutableRawPointer? {
        iio_buffer_first(pointer, channel)
    }
}
