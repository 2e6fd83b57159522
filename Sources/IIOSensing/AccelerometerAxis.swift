// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing
internal import Support

/// One axis of an accelerometer: the channel, and the conversion from its raw value to m/s².
struct AccelerometerAxis {
    let channel: IIOChannel
    /// Raw units added before scaling.
    let offset: Double
    /// m/s² per raw unit.
    let scale: Double
    /// Whether the driver states the scale.
    let statesScale: Bool
    /// The sysfs attribute with the current raw value.
    let rawFileName: String

    /// Reads the offset and scale of a channel. An invalid value is replaced by the default, with a warning that names
    /// the attribute.
    ///
    /// The defaults are those of the kernel's IIO ABI: offset 0 and scale 1.
    init(channel: IIOChannel, name: String, device: IIODevice, warnings: inout [String]) {
        self.channel = channel
        rawFileName = channel.fileName(of: "raw")
        let offset = Constant(channel.attribute("offset"))
        offset.addWarning(about: channel.fileName(of: "offset"), to: &warnings)
        self.offset = offset.number ?? 0

        var scale = Constant(channel.attribute("scale"), mayBeZero: false)
        var file = channel.fileName(of: "scale")
        if case .missing = scale {
            scale = Constant(device.attribute("scale"), mayBeZero: false)
            file = "scale"
        }
        if case .missing = scale {
            warnings.append("in_\(name)_scale, in_accel_scale, scale: not found: the scale is measured")
        }
        scale.addWarning(about: file, to: &warnings)
        self.scale = scale.number ?? 1
        statesScale = scale.number != nil
    }

    /// Whether the axis can be read without a buffer.
    var canBePolled: Bool { channel.has("raw") }

    /// Returns the failure for an error of reading the open attribute.
    func failure(_ error: SysfsFile.NumberError) -> SensorFailure {
        switch error {
        case .invalid(let text): .failed("\(rawFileName): invalid value '\(text.prefix(40))': not a number")
        case .unreadable(let error): Self.failure(reading: rawFileName, code: error.code)
        }
    }

    /// Returns the failure for an errno from opening or reading `file`.
    static func failure(reading file: String, code: Int32) -> SensorFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case ENODEV, ENOENT, ENXIO: .gone("the sensor was disconnected (\(file): \(reason))")
        case EBUSY: .failed("cannot poll the sensor while another program captures from it (\(file): \(reason))")
        default: .failed("cannot read \(file): \(reason)")
        }
    }

    /// The value of an attribute that holds one constant number.
    private enum Constant {
        case missing
        case number(Double)
        /// The reason, for a message that begins with the name of the attribute.
        case invalid(String)

        init(_ attribute: IIOAttribute, mayBeZero: Bool = true) {
            switch attribute {
            case .missing: self = .missing
            case .text(let text):
                if let number = Double(decimal: text), mayBeZero || number != 0 {
                    self = .number(number)
                } else {
                    self = .invalid("invalid value '\(text.prefix(40))': using the default")
                }
            case .unreadable(let code): self = .invalid("cannot read: \(String(cString: strerror(code)))")
            }
        }

        var number: Double? {
            if case .number(let number) = self { number } else { nil }
        }

        /// Adds a warning about an invalid value, once for an attribute that all axes share.
        func addWarning(about file: String, to warnings: inout [String]) {
            guard case .invalid(let reason) = self, !warnings.contains("\(file): \(reason)") else { return }
            warnings.append("\(file): \(reason)")
        }
    }
}
