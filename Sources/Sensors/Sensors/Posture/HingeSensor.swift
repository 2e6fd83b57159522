// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A hinge sensor of the kernel: an IIO device with the lid angle.
///
/// - `hinge` (Intel's sensor hub) has three channels with labels, in radians: the hinge, and the screen and the keyboard
///   against the horizontal.
/// - `cros-ec-lid-angle` has one channel in degrees.
///
/// Other devices with angles are not part of a lid.
final class HingeSensor: LidMeter {
    private static let labels = ["hinge", "screen", "keyboard"]

    private let angles: [Angle]
    let display: LaptopHalf?

    static func source(_ halves: LaptopHalves) -> LidSource {
        source(in: .devices) { facts throws(SensorFailure) in try halves.find(facts).display }
    }

    /// The row for the devices in a folder; `display` finds the display's accelerometer.
    static func source(
        in devices: SysfsFolder, display: @escaping @Sendable (HardwareFacts) throws(SensorFailure) -> LaptopHalf?
    ) -> LidSource {
        LidSource { facts throws(SensorFailure) in
            try devices.names().map { id throws(SensorFailure) -> FoundSensor<any LidMeter>? in
                let failed = FailedRead()
                let folder = SysfsFolder(path: "\(devices.path)/\(id)").noting(failed)
                let (name, found) = (folder.text("name"), channels(folder))
                try failed.check()
                guard let name, let channels = found else { return nil }
                var info = SensorDescription(.hinge, id: id, name: name, method: channels.joined(separator: ", "))
                info.rejection = facts.rejection(of: id)
                return FoundSensor(info: info) { () throws(SensorFailure) in
                    try HingeSensor(id, folder, channels, display: display(facts))
                }
            }.compactMap(\.self)
        }
    }

    /// Returns the names of the channels, in the order of ``labels`` if there are three; nil if it is no hinge sensor.
    private static func channels(_ folder: SysfsFolder) -> [String]? {
        switch folder.text("name") {
        case "cros-ec-lid-angle": return folder.has("in_angl_raw") ? ["in_angl"] : nil
        case "hinge":
            let found = (0..<3).map { "in_angl\($0)" }.filter { folder.has("\($0)_raw") }
            let labelled = labels.compactMap { label in found.first { folder.text("\($0)_label") == label } }
            let named = labelled.count == labels.count ? labelled : found
            return named.count == labels.count ? named : nil
        default: return nil
        }
    }

    private init(
        _ id: String, _ folder: SysfsFolder, _ channels: [String], display: LaptopHalf?
    ) throws(SensorFailure) {
        self.display = display
        angles = try channels.map { channel throws(SensorFailure) in try Angle(channel, folder, of: id) }
    }

    func read(at now: Double) throws(SensorFailure) -> LidReading {
        // A sensor hub updates the hinge only while the display's accelerometer is on, which reading it ensures. If that
        // fails, the hinge is compared with its own channels only, as without such a sensor.
        let display = try? display?.sample(at: now)?.acceleration
        let angles = try angles.map { angle throws(SensorFailure) in try angle.degrees() }
        guard angles.count == Self.labels.count else { return LidReading(degrees: angles[0], display: display) }
        return LidReading(hinge: angles[0], screen: angles[1], keyboard: angles[2], display: display)
    }

    private struct Angle {
        private let raw: SysfsAttribute
        private let conversion: LinearConversion

        init(_ channel: String, _ folder: SysfsFolder, of id: String) throws(SensorFailure) {
            let failed = FailedRead()
            let folder = folder.noting(failed)
            raw = try SysfsAttribute("\(channel)_raw", in: folder, of: id)
            let scale = folder.number("\(channel)_scale") ?? folder.number("in_angl_scale")
            let offset = folder.number("\(channel)_offset") ?? folder.number("in_angl_offset")
            try failed.check()
            // Without a scale the channel is in degrees, otherwise in radians.
            conversion = LinearConversion(scale: scale.map { $0 * 180 / .pi } ?? 1, offset: offset ?? 0)
        }

        func degrees() throws(SensorFailure) -> Double { conversion(try raw.readNumber()) ?? .nan }
    }
}
