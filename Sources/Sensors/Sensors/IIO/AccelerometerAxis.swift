// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix

/// One axis of an accelerometer: the channel, and the conversion from its raw value to m/s².
struct AccelerometerAxis {
    let channel: IIOChannel
    /// The name of the channel, such as `accel_x`.
    let name: String
    /// Raw units added before scaling.
    let offset: Double
    /// m/s² per raw unit.
    let scale: Double
    /// Whether the driver states the scale, of this axis or of another one.
    let statesScale: Bool
    /// The sysfs attribute with the current raw value.
    var rawFileName: String { "in_\(name)_raw" }

    /// Reads the offset and scale of a channel. An invalid value is replaced by the default, with a warning that names
    /// the attribute; one that cannot be read is a failure.
    ///
    /// The default offset is 0. The default scale is `otherScale`, from another axis: different scales would distort
    /// the vector. Without one it is 1, and is measured.
    init(
        channel: IIOChannel, name: String, device: IIODevice, otherScale: Double?, warnings: inout [String]
    ) throws(SensorFailure) {
        self.channel = channel
        self.name = name
        let offset = try Self.constant(ChannelConstants.offset(of: name), in: device.folder)
        self.offset = offset.number ?? 0
        let scale = try Self.scale(of: name, device)
        let substitute = otherScale.map { "using \($0), the scale of another axis" } ?? "the scale is measured"
        let isMissing = scale.number == nil && scale.defect == nil
        let defect = isMissing ? "in_\(name)_scale, in_accel_scale, scale: not found" : scale.defect
        // Once for an attribute that all axes share.
        for warning in [offset.defect.map { "\($0): using the default" }, defect.map { "\($0): \(substitute)" }] {
            if let warning, !warnings.contains(warning) { warnings.append(warning) }
        }
        self.scale = scale.number ?? otherScale ?? 1
        statesScale = scale.number != nil || otherScale != nil
    }

    /// Returns the scale that the driver states for a channel; nil if there is none, or an invalid one.
    static func statedScale(of name: String, _ device: IIODevice) throws(SensorFailure) -> Double? {
        try scale(of: name, device).number
    }

    private static func scale(
        of name: String, _ device: IIODevice
    ) throws(SensorFailure) -> (number: Double?, defect: String?) {
        try constant(ChannelConstants.scale(of: name), in: device.folder, isPositive: true)
    }

    /// Whether the axis can be read without a buffer.
    var canBePolled: Bool { channel.rawName != nil }

    /// Returns the failure for an error of reading the open attribute.
    func failure(_ error: SysfsFile.NumberError) -> SensorFailure {
        switch error {
        case .invalid(let text): .failed("\(rawFileName): invalid value '\(text.prefix(40))': not a number")
        case .unreadable(let error): Self.failure(reading: rawFileName, error)
        }
    }

    static func failure(reading file: String, _ error: Errno) -> SensorFailure {
        if error.isRemoval { return .gone("the sensor was disconnected (\(file): \(error))") }
        return error.code == EBUSY
            ? .failed("cannot poll the sensor while another program captures from it (\(file): \(error))")
            : .failed("cannot read \(file): \(error)")
    }

    /// Reads the first of the attributes that exists: its number, or the message about an invalid value; both are nil without
    /// one.
    private static func constant(
        _ names: [String], in folder: SysfsFolder, isPositive: Bool = false
    ) throws(SensorFailure) -> (number: Double?, defect: String?) {
        guard let name = names.first(where: folder.has) else { return (nil, nil) }
        do throws(Errno) {
            let text = try folder.line(name)
            let number = Double(decimal: text).flatMap { !isPositive || $0 > 0 ? $0 : nil }
            return (number, number == nil ? "\(name): invalid value '\(text.prefix(40))'" : nil)
        } catch {
            throw failure(reading: name, error)
        }
    }
}
