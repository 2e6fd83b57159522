// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc

/// One device of an ``IIOContext``; valid while the context lives.
struct IIODevice {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
    }

    /// The kernel's name for it, for example `iio:device0`.
    var id: String { String(cString: iio_device_get_id(handle)) }

    /// The driver's name for it, for example `kxcjk1013`; not a chip's name on ACPI machines.
    var name: String? { iio_device_get_name(handle).map { String(cString: $0) } }

    /// What firmware calls it, for example `accel-display`.
    var label: String? { iio_device_get_label(handle).map { String(cString: $0) } }

    /// The input channel of this name or id.
    func channel(_ name: String) -> IIOChannel? {
        iio_device_find_channel(handle, name, false).map(IIOChannel.init)
    }

    /// The text of an attribute of the device itself.
    func attribute(_ name: String) -> IIOAttribute {
        guard iio_device_find_attr(handle, name) != nil else { return .missing }
        return .reading { iio_device_attr_read(handle, name, $0, $1) }
    }

    /// An attribute that some drivers have on the device and others on each of its channels.
    func anyAttribute(_ name: String, channel: String) -> IIOAttribute {
        if case .missing = attribute(name) { return self.channel(channel)?.attribute(name) ?? .missing }
        return attribute(name)
    }

    /// The same, to be written; nil where it is nowhere.
    func writableAttribute(_ name: String, channel: String) -> IIOWritableAttribute? {
        if iio_device_find_attr(handle, name) != nil { return .device(handle, name) }
        return self.channel(channel)?.writableAttribute(name)
    }

    /// Whether it is no sensor but what makes sensors measure.
    var isTrigger: Bool { iio_device_is_trigger(handle) }

    /// Makes a buffer of the channels that are enabled; libiio stops whoever captures from the device, even if it then
    /// fails.
    func makeBuffer() throws(BufferError) -> IIOBuffer {
        errno = 0
        _ = iio_device_set_kernel_buffers_count(handle, IIOBuffer.kernelScans)
        guard let buffer = iio_device_create_buffer(handle, 1, false) else { throw BufferError(code: errno) }
        return IIOBuffer(handle: buffer)
    }
}

// MARK: Buffer and trigger

extension IIODevice {
    /// Whether the buffer runs, whoever started it; nil where the device has none or does not say.
    var isBufferEnabled: Bool? {
        var isEnabled = false
        return iio_device_buffer_attr_read_bool(handle, "enable", &isEnabled) == 0 ? isEnabled : nil
    }

    /// Whether another program has the node of this machine's device open: the kernel lets only one in, and what is left
    /// behind by one that died is nobody's.
    var isHeldElsewhere: Bool { openNode() == EBUSY }

    /// Whether the buffer could be had: nobody runs it, and its node can be opened.
    var isBufferFree: Bool { isBufferEnabled == false && openNode() == 0 }

    /// Opens the node of this machine's device for a moment, which stops nobody; 0 or an errno.
    private func openNode() -> Int32 {
        let descriptor = open("/dev/\(id)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0 { return errno }
        close(descriptor)
        return 0
    }

    /// Stops the buffer, whoever started it; 0 or a negative errno.
    func disableBuffer() -> Int32 {
        iio_device_buffer_attr_write_bool(handle, "enable", false)
    }

    /// What makes the buffer's scans.
    enum Trigger {
        case named(String, IIODevice)
        /// The device can have one and has none.
        case none
        /// The device has one that libiio does not list.
        case unlisted
        /// The chip fills its buffer by itself.
        case unneeded
    }

    var trigger: Trigger {
        var trigger: OpaquePointer?
        switch iio_device_get_trigger(handle, &trigger) {
        case 0:
            guard let device = trigger.map(IIODevice.init), let name = device.name else { return .none }
            return .named(name, device)
        case -ENXIO: return .unlisted
        // Versions of libiio differ in what they answer for an empty file; only a missing one says that the chip fills
        // its buffer by itself.
        default: return access("/sys/bus/iio/devices/\(id)/trigger/current_trigger", F_OK) == 0 ? .none : .unneeded
        }
    }

    /// Lets `trigger` make the scans, or nothing; 0 or a negative errno.
    func setTrigger(_ trigger: IIODevice?) -> Int32 {
        iio_device_set_trigger(handle, trigger?.handle)
    }
}
