// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// One axis of an accelerometer: the channel, and the conversion from its raw value to m/s².
struct AccelerometerAxis {
    let channel: IIOChannel
    /// Raw units added before scaling.
    let offset: Double
    /// m/s² per raw unit.
    let scale: Double
    /// Whether the driver states the scale, of this axis or of another one.
    let statesScale: Bool
    /// The sysfs attribute with the current raw value.
    let rawFileName: String

    /// Reads the offset and scale of a channel. An invalid value is replaced by the default, with a warning that names
    /// the attribute.
    ///
    /// The default offset is 0. The default scale is `otherScale`, that of another axis: different scales would distort
    /// the vector. Without one it is 1, and is measured.
    init(channel: IIOChannel, name: String, device: IIODevice, otherScale: Double?, warnings: inout [String]) {
        self.channel = channel
        rawFileName = channel.fileName(of: "raw")
        let offset = Constant(channel.attribute("offset"))
        offset.addWarning(about: channel.fileName(of: "offset"), "using the default", to: &warnings)
        self.offset = offset.number ?? 0

        let (scale, file) = Self.scale(of: channel, device)
        let substitute = otherScale.map { "using \($0), the scale of another axis" } ?? "the scale is measured"
        if case .missing = scale {
            warnings.append("in_\(name)_scale, in_accel_scale, scale: not found: \(substitute)")
        }
        scale.addWarning(about: file, substitute, to: &warnings)
        self.scale = scale.number ?? otherScale ?? 1
        statesScale = scale.number != nil || otherScale != nil
    }

    /// Returns the scale that the driver states for a channel; nil if there is none, or an invalid one.
    static func statedScale(of channel: IIOChannel, _ device: IIODevice) -> Double? {
        scale(of: channel, device).0.number
    }

    private static func scale(of channel: IIOChannel, _ device: IIODevice) -> (Constant, file: String) {
        let own = Constant(channel.attribute("scale"), mayBeZero: false)
        guard case .missing = own else { return (own, channel.fileName(of: "scale")) }
        return (Constant(device.attribute("scale"), mayBeZero: false), "scale")
    }

    /// Whether the axis can be read without a buffer.
    var canBePolled: Bool { channel.has("raw") }

    /// Returns the failure for an error of reading the open attribute.
    func failure(_ error: SysfsFile.NumberError) -> SensorFailure {
        switch error {
        case .invalid(let text): .failed("\(rawFileName): invalid value '\(text.prefix(40))': not a number")
        case .unreadable(let error): Self.failure(reading: rawFileName, error)
        }
    }

    /// Returns the failure for an error of opening or reading `file`.
    static func failure(reading file: String, _ error: Errno) -> SensorFailure {
        if error.isRemoval { return .gone("the sensor was disconnected (\(file): \(error))") }
        return error.code == EBUSY
            ? .failed("cannot poll the sensor while another program captures from it (\(file): \(error))")
            : .failed("cannot read \(file): \(error)")
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
                    self = .invalid("invalid value '\(text.prefix(40))'")
                }
            case .unreadable(let code): self = .invalid("cannot read: \(String(cString: strerror(code)))")
            }
        }

        var number: Double? {
            if case .number(let number) = self { number } else { nil }
        }

        /// Adds a warning about an invalid value, once for an attribute that all axes share.
        func addWarning(about file: String, _ substitute: String, to warnings: inout [String]) {
            guard case .invalid(let reason) = self else { return }
            let warning = "\(file): \(reason): \(substitute)"
            if !warnings.contains(warning) { warnings.append(warning) }
        }
    }
}
