// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Support

/// The row `evdev:` of the source table: accelerometers that are input devices.
package enum InputSource {
    /// The scheme.
    package static let scheme = "evdev"

    /// The row for `evdev:` and `evdev:NAME`; NAME is the device's name or its node, such as `event4`.
    package static var row: SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true,
            expected: { _ in
                var sensor = SensorDescription(id: scheme, name: scheme)
                sensor.isLocal = true
                return sensor
            },
            open: { address, facts throws(SensorFailure) in try open(address.isEmpty ? nil : address, facts) },
            scan: { address, facts throws(SensorFailure) in
                listings(scan(facts), facts, wanted: address.isEmpty ? nil : address)
            })
    }

    private static func open(_ wanted: String?, _ facts: HardwareFacts) throws(SensorFailure) -> any Accelerometer {
        let found = scan(facts)
        let listings = listings(found, facts, wanted: wanted)
        guard let chosen = listings.first(where: \.isChosen),
            let device = found.first(where: { $0.info.id == chosen.id })
        else {
            let all = listings.map { "\($0.id) (\($0.name)): \($0.why)" }.joined(separator: "; ")
            let what = wanted.map { "no accelerometer '\($0)'" } ?? "no usable accelerometer"
            throw .noDevice("\(what) among the input devices\(all.isEmpty ? "" : "; \(all)")")
        }
        do throws(SensorFailure) {
            return try open(device)
        } catch {
            // The failed sensor needs a name, by which the next start tries another one first.
            let hasOther = found.contains { other in
                other.rejection == nil && other.info.id != chosen.id && facts.recentFailures[other.info.id] == nil
            }
            guard wanted == nil, hasOther else { throw error }
            return UnavailableAccelerometer(info: device.info, failure: error)
        }
    }

    private static func open(_ device: InputDevice) throws(SensorFailure) -> any Accelerometer {
        let path = "/dev/input/\(device.info.id)"
        guard let node = EventNode(path: path) else {
            let code = errno
            let reason = String(cString: strerror(code))
            if code == ENODEV || code == ENOENT || code == ENXIO { throw .gone("cannot open \(path): \(reason)") }
            let remedy = code == EACCES || code == EPERM ? "; install orientationd's udev rule" : ""
            throw .failed("cannot open \(path): \(reason)\(remedy)")
        }
        let axes = InputAccelerometer.codes.compactMap { node.axis($0) }
        guard axes.count == 3 else {
            throw .failed("cannot read the axes of \(path): \(String(cString: strerror(errno)))")
        }
        return InputAccelerometer(device.info, node: node, axes: axes, frame: device.frame)
    }

    private static func scan(_ facts: HardwareFacts) -> [InputDevice] {
        facts.inputAccelerometers.map { InputDevice($0, facts: facts) }
    }

    private static func listings(
        _ devices: [InputDevice], _ facts: HardwareFacts, wanted: String?
    ) -> [SensorDescription] {
        let usable = devices.filter { $0.rejection == nil }
        let candidates = usable.map { device in
            SensorChoice.Candidate(info: device.info, recentFailure: facts.recentFailures[device.info.id])
        }
        let rejected = devices.compactMap { device in
            device.rejection.map { reason in
                var listing = device.info
                listing.why = reason
                return listing
            }
        }
        return SensorChoice.listings(candidates, wanted: wanted) + rejected
    }
}

/// A sensor that could not be opened: the first step throws the failure.
private final class UnavailableAccelerometer: Accelerometer {
    let info: SensorDescription
    let supportsBackpressure = false
    let isHardware = true
    private let failure: SensorFailure

    init(info: SensorDescription, failure: SensorFailure) {
        self.info = info
        self.failure = failure
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep { throw failure }
}

/// An input device that udev lists as an accelerometer.
struct InputDevice {
    let info: SensorDescription
    let frame: DeviceFrame
    /// Why the device must not be used; nil if it may.
    let rejection: String?

    /// Reads the description of an event node, such as `event4`, from sysfs.
    init(_ node: String, facts: HardwareFacts) {
        let device = "/sys/class/input/\(node)/device"
        let lookup = UdevLookup(device: node, facts: facts)
        var warnings: [String] = []
        let mount = lookup.mountMatrix(warnings: &warnings)
        frame = DeviceFrame(matrix: mount.matrix, sense: .specificForce, faceSign: lookup.faceSign(warnings: &warnings))
        let natural = lookup.naturalOrientation(warnings: &warnings)
        var info = SensorDescription(
            id: node, name: Self.line("\(device)/name") ?? node, driver: "evdev",
            location: lookup.location(warnings: &warnings) ?? "display", matrix: mount.matrix.elements,
            matrixSource: mount.source, warnings: warnings, natural: natural?.edge, naturalSource: natural?.source)
        info.isLocal = true
        self.info = info
        rejection = InputAccelerometerRule.rejection(
            axes: Self.line("\(device)/capabilities/abs"), keys: Self.line("\(device)/capabilities/key"),
            bus: Self.line("\(device)/id/bustype"), sibling: Self.siblingWithKeys(of: device))
    }

    /// Returns the name of another input device of the same hardware that has keys; nil if there is none.
    private static func siblingWithKeys(of device: String) -> String? {
        let parent = "\(device)/device/input"
        // Virtual devices have no common hardware, and no such folder.
        guard let folder = opendir(parent) else { return nil }
        defer { closedir(folder) }
        for _ in 0..<longestFolder {
            guard let entry = readdir(folder) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("input"), let keys = line("\(parent)/\(name)/capabilities/key"), keys != "0" else {
                continue
            }
            return line("\(parent)/\(name)/name") ?? name
        }
        return nil
    }

    /// The most entries of a folder that are examined: hardware has a few input devices.
    private static let longestFolder = 64

    /// Returns the first line of a sysfs attribute; nil if it cannot be read.
    private static func line(_ path: String) -> String? {
        guard let text = SmallFile.read(path, atMost: longestLine), !text.isEmpty else { return nil }
        return String(text.prefix { $0 != "\n" })
    }

    /// The longest line that is read, in bytes: the mask of all keys has 200.
    private static let longestLine = 512
}
