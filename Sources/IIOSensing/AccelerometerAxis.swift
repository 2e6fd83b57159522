// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing

/// One axis of an accelerometer: where its raw number is read, and how that becomes m/s².
struct AccelerometerAxis {
    let channel: IIOChannel
    /// Raw units that are added before the scale.
    let offset: Double
    /// m/s² per raw unit.
    let scale: Double
    /// The file with the axis's newest raw number.
    let rawFileName: String

    /// Gathers offset and scale of a channel; what is missing or nonsense is replaced, with a warning that names the
    /// file.
    ///
    /// The industrial-I/O interface takes an absent offset for 0 and an absent scale for 1.
    init(channel: IIOChannel, name: String, device: IIODevice, warnings: inout [String]) {
        self.channel = channel
        rawFileName = channel.fileName(of: "raw")
        let offset = Constant(channel.attribute("offset"))
        offset.warn(of: channel.fileName(of: "offset"), in: &warnings)
        self.offset = offset.number ?? 0

        var scale = Constant(channel.attribute("scale"), mayBeZero: false)
        var file = channel.fileName(of: "scale")
        if case .missing = scale {
            scale = Constant(device.attribute("scale"), mayBeZero: false)
            file = "scale"
        }
        if case .missing = scale {
            warnings.append(
                "in_\(name)_scale, in_accel_scale and scale are all missing: raw values are taken for m/s²")
        }
        scale.warn(of: file, in: &warnings)
        self.scale = scale.number ?? 1
    }

    /// Whether single readings can be asked for.
    var canBePolled: Bool { channel.has("raw") }

    /// What the driver answers now, through libiio.
    var rawAttribute: IIOAttribute { channel.attribute("raw") }

    /// The number that an answer to a reading of `file` has in it.
    static func number(_ answer: IIOAttribute, file: String) throws(SensorFailure) -> Double {
        switch answer {
        case .text(let text):
            guard let raw = Self.decimal(text) else {
                throw .failed("\(file) reads '\(text.prefix(40))', which is no number")
            }
            return raw
        case .missing:
            throw .gone("\(file) has gone")
        case .unreadable(let code):
            throw failure(reading: file, code: code)
        }
    }

    /// The axis's specific force, or its negative where the driver has it so, in m/s².
    func value(ofRaw raw: Double) -> Double {
        (raw + offset) * scale
    }

    static func failure(reading file: String, code: Int32) -> SensorFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case ENODEV, ENOENT, ENXIO: .gone("the sensor has gone (\(file): \(reason))")
        case EPIPE, ECONNRESET, ETIMEDOUT, EBADF:
            .gone("the connection to the sensor was lost (\(file): \(reason))")
        case EBUSY:
            .failed(
                "another program is capturing from the sensor, and it gives no single readings meanwhile (\(file): \(reason))"
            )
        case EACCES, EPERM: .failed("this program is not allowed to read \(file) (\(reason))")
        default: .failed("cannot read \(file): \(reason)")
        }
    }

    /// The kernel writes decimals; Swift would take a hexadecimal number too.
    private static func decimal(_ text: String) -> Double? {
        // Nearly every reading is an integer, and that is told soonest.
        if let integer = Int(text) { return Double(integer) }
        let trimmed = text.split(whereSeparator: \.isWhitespace)
        guard trimmed.count == 1, trimmed[0].allSatisfy({ $0.isNumber || "+-.eE".contains($0) }) else { return nil }
        return Double(trimmed[0]).flatMap { $0.isFinite ? $0 : nil }
    }

    /// What a file that holds one number, the same at all times, turned out to hold.
    private enum Constant {
        case missing
        case number(Double)
        /// For people, going on after the file's name.
        case unusable(String)

        init(_ attribute: IIOAttribute, mayBeZero: Bool = true) {
            switch attribute {
            case .missing: self = .missing
            case .text(let text):
                if let number = decimal(text), mayBeZero || number != 0 {
                    self = .number(number)
                } else {
                    self = .unusable("reads '\(text.prefix(40))', which cannot be used; it is taken for the default")
                }
            case .unreadable(let code): self = .unusable("cannot be read: \(String(cString: strerror(code)))")
            }
        }

        var number: Double? {
            if case .number(let number) = self { number } else { nil }
        }

        /// Says once what is wrong with the file, which three axes may share.
        func warn(of file: String, in warnings: inout [String]) {
            guard case .unusable(let complaint) = self, !warnings.contains("\(file) \(complaint)") else { return }
            warnings.append("\(file) \(complaint)")
        }
    }
}
