// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensing

/// An accelerometer that was found: its three axes, its frame, and all that is to be said of it.
struct AccelerometerDevice {
    let info: SensorDescription
    let label: String?
    let plan: CapturePlan
    let device: IIODevice
    let axes: [AccelerometerAxis]
    let isLocal: Bool
    /// Turns what the axes read into the device frame.
    let frame: DeviceFrame
    private let sense: DeviceFrame.SensorSense
    /// A person's word on the sign of z.
    private let faceSign: Int?

    /// A device that is no accelerometer at all, or one that cannot be used.
    enum Verdict {
        case accelerometer(AccelerometerDevice)
        case incomplete(SensorDescription, missing: [String])
        case somethingElse
    }

    /// Looks at a device: by its channels, never by their order. `triggers` are all of its context, and `note` says
    /// which buffer is ours.
    static func examine(
        _ device: IIODevice, isLocal: Bool, facts: HardwareFacts, triggers: [IIODevice], note: ArmedNote
    ) -> Verdict {
        let names = ["accel_x", "accel_y", "accel_z"]
        let channels = names.map { name in
            device.channel(name).flatMap { $0.has("raw") || isLocal && $0.isScanElement ? $0 : nil }
        }
        if channels.allSatisfy({ $0 == nil }) { return .somethingElse }
        let missing = zip(names, channels).filter { $1 == nil }.map { "in_\($0.0)_raw" }
        guard missing.isEmpty else {
            let info = SensorDescription(id: device.id, name: device.name ?? device.id)
            return .incomplete(info, missing: missing)
        }
        // Facts of this machine's udev say nothing of a board elsewhere, whose devices have the same names.
        let facts = isLocal ? facts : HardwareFacts()
        let plan = CapturePlan(
            .init(
                isLocal: isLocal, hasScanElements: channels.allSatisfy { $0?.isScanElement == true },
                unsoundFormat: channels.lazy.compactMap { $0 }.first { !$0.hasSoundFormat }?.format,
                trigger: device.planTrigger(among: triggers),
                isBufferEnabled: device.isBufferEnabled == true && note.held != device.id,
                policy: facts.value(of: .buffer, for: device.id), isProxyRunning: facts.isProxyRunning,
                obstacle: note.obstacle))
        return .accelerometer(
            AccelerometerDevice(
                device, channels: Array(zip(names, channels.compactMap { $0 })), isLocal: isLocal, plan: plan,
                facts: facts))
    }

    private init(
        _ device: IIODevice, channels: [(name: String, channel: IIOChannel)], isLocal: Bool, plan: CapturePlan,
        facts: HardwareFacts
    ) {
        self.device = device
        self.isLocal = isLocal
        self.plan = plan
        var warnings: [String] = []
        axes = channels.map { name, channel in
            AccelerometerAxis(channel: channel, name: name, device: device, warnings: &warnings)
        }
        let driver = isLocal ? Self.driver(of: device.id) : nil
        let lookup = AttributeLookup(device: device, facts: facts)
        let mount = lookup.mountMatrix(warnings: &warnings)
        let isHub = driver?.hasPrefix("hid_sensor_accel") == true || device.name == "accel_3d"
        sense = isHub ? .gravity : .specificForce
        faceSign = lookup.faceSign(warnings: &warnings)
        frame = DeviceFrame(matrix: mount.matrix, sense: sense, faceSign: faceSign)
        if frame.faceRule == .thirdRow {
            warnings.append(
                "the mount matrix from \(mount.source) is no rotation: its first two rows are not orthogonal unit vectors"
            )
        }
        lookup.checkBufferPolicy(warnings: &warnings)
        label = device.label
        info = SensorDescription(
            id: device.id, name: device.name ?? device.id, driver: driver,
            location: lookup.location(warnings: &warnings), matrix: mount.matrix.elements,
            matrixSource: mount.source, warnings: warnings)
    }

    /// What there is to know of its numbers, for people.
    var particulars: String {
        let frequency = device.anyAttribute("sampling_frequency", channel: "accel_x")
        let rate: String? = if case .text(let text) = frequency { "\(text) Hz" } else { nil }
        let format = axes[0].channel.isScanElement ? "scans \(axes[0].channel.format)" : nil
        let sign = sense == .gravity ? "counts towards the ground, as HID hubs do" : "counts away from the ground"
        let face = frame.faceRule == .crossProduct ? "z from the matrix's x and y" : "z from the matrix's third row"
        let override = faceSign.map { "its sign overruled by udev ORIENTATIOND_FACE_SIGN=\($0)" }
        return [rate, format, sign, face, override].compactMap { $0 }.joined(separator: ", ")
    }

    /// How raw numbers become samples, for recordings.
    var arithmetic: SensorArithmetic {
        SensorArithmetic(
            scale: axes.map(\.scale), offset: axes.map(\.offset),
            sense: sense == .gravity ? "HID" : "specific force", rate: SamplingFrequency.current(of: device))
    }

    /// Whether single readings can be asked for.
    var canBePolled: Bool { axes.allSatisfy(\.canBePolled) }

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

extension IIODevice {
    /// The trigger of its own that the driver registers, if it is among these.
    func ownTrigger(among triggers: [IIODevice]) -> IIODevice? {
        guard let name else { return nil }
        let number = id.reversed().prefix { $0.isASCII && $0.isNumber }
        let names = ["\(name)-dev\(String(number.reversed()))", "\(name)-trigger"]
        return names.lazy.compactMap { own in triggers.first { $0.name == own } }.first
    }

    fileprivate func planTrigger(among triggers: [IIODevice]) -> CapturePlan.Trigger {
        switch trigger {
        case .named(let name, _): .attached(name)
        case .unlisted: .attached("unknown")
        case .none: ownTrigger(among: triggers)?.name.map { .own($0) } ?? .missing
        case .unneeded: .unneeded
        }
    }
}
