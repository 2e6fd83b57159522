// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensing

/// An accelerometer that was found: its three axes, its frame, and all that is to be said of it.
struct AccelerometerDevice {
    let info: SensorDescription
    let label: String?
    private let device: IIODevice
    private let axes: [AccelerometerAxis]
    private let frame: DeviceFrame

    /// A device that is no accelerometer at all, or one that cannot be used.
    enum Verdict {
        case accelerometer(AccelerometerDevice)
        case incomplete(SensorDescription, missing: [String])
        case somethingElse
    }

    /// Looks at a device: by its channels, never by their order.
    static func examine(_ device: IIODevice, isLocal: Bool, facts: HardwareFacts) -> Verdict {
        let names = ["accel_x", "accel_y", "accel_z"]
        let channels = names.map { device.channel($0).flatMap { $0.has("raw") ? $0 : nil } }
        if channels.allSatisfy({ $0 == nil }) { return .somethingElse }
        let missing = zip(names, channels).filter { $1 == nil }.map { "in_\($0.0)_raw" }
        guard missing.isEmpty else {
            let info = SensorDescription(id: device.id, name: device.name ?? device.id)
            return .incomplete(info, missing: missing)
        }
        return .accelerometer(
            AccelerometerDevice(
                device, channels: Array(zip(names, channels.compactMap { $0 })), isLocal: isLocal,
                facts: facts))
    }

    private init(
        _ device: IIODevice, channels: [(name: String, channel: IIOChannel)], isLocal: Bool,
        facts: HardwareFacts
    ) {
        self.device = device
        var warnings: [String] = []
        axes = channels.map { name, channel in
            AccelerometerAxis(channel: channel, name: name, device: device, warnings: &warnings)
        }
        let driver = isLocal ? Self.driver(of: device.id) : nil
        // Facts of this machine's udev say nothing of a board elsewhere, whose devices have the same names.
        let lookup = AttributeLookup(device: device, facts: isLocal ? facts : HardwareFacts())
        let mount = lookup.mountMatrix(warnings: &warnings)
        let isHub = driver?.hasPrefix("hid_sensor_accel") == true || device.name == "accel_3d"
        frame = DeviceFrame(
            matrix: mount.matrix, sense: isHub ? .gravity : .specificForce,
            faceSign: lookup.faceSign(warnings: &warnings))
        if frame.faceRule == .thirdRow {
            warnings.append(
                "the mount matrix from \(mount.source) is no rotation: its first two rows are not orthogonal unit vectors"
            )
        }
        label = device.label
        info = SensorDescription(
            id: device.id, name: device.name ?? device.id, driver: driver,
            location: lookup.location(warnings: &warnings), matrix: mount.matrix.elements,
            matrixSource: mount.source, warnings: warnings)
    }

    /// One reading, each axis once, in m/s², in the device frame; nil where the sensor answered without a reading.
    func read() throws(SensorFailure) -> Acceleration? {
        let vector = Acceleration(x: try axes[0].read(), y: try axes[1].read(), z: try axes[2].read())
        // A hung sensor hub answers with exact zeros, and with success.
        return vector.magnitude > 0 ? frame(vector) : nil
    }

    /// Makes the chip measure often enough, for as long as the result lives; nil where it does already.
    func raiseFrequency(warnings: inout [String]) -> SamplingFrequency? {
        SamplingFrequency(device: device, warnings: &warnings)
    }

    /// The kernel driver behind one of this machine's devices.
    private static func driver(of id: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // The link is followed before the two dots: this is the parent of the device, not the folder of links.
        let count = readlink("/sys/bus/iio/devices/\(id)/../driver", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return target.split(separator: "/").last.map(String.init)
    }
}
