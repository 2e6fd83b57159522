// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel
internal import Posix

/// The row `evdev:` of the source table: accelerometers that are input devices.
package enum InputSource {
    package static let scheme = "evdev"

    /// The row for `evdev:` and `evdev:NAME`; NAME is the device's name or its node, such as `event4`.
    package static var row: SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true, isHardware: true,
            open: { address, facts throws(OpenFailure) in try open(address.isEmpty ? nil : address, facts) },
            scan: { address, facts throws(SensorFailure) in
                listings(try scan(facts), facts, wanted: address.isEmpty ? nil : address)
            })
    }

    private static func open(_ wanted: String?, _ facts: HardwareFacts) throws(OpenFailure) -> any Accelerometer {
        let found = try OpenFailure.naming(nil) { () throws(SensorFailure) in try scan(facts) }
        let listings = listings(found, facts, wanted: wanted)
        guard let chosen = listings.first(where: \.isChosen),
            let device = found.first(where: { $0.info.id == chosen.id })
        else {
            throw OpenFailure(
                reason: .noDevice(SensorChoice.absence(of: wanted, "among the input devices", among: listings)))
        }
        return try OpenFailure.naming(chosen.id) { () throws(SensorFailure) in try open(device) }
    }

    private static func open(_ device: InputDevice) throws(SensorFailure) -> any Accelerometer {
        let path = "/dev/input/\(device.info.id)"
        let node: EventNode
        do throws(Errno) { node = try EventNode(path: path) } catch {
            let reason = "cannot open \(path): \(error)"
            if error.isRemoval { throw .gone(reason) }
            let isDenied = error.code == EACCES || error.code == EPERM
            throw .failed(
                isDenied
                    ? "\(reason); install orientationd's udev rule, and set ACCEL_LOCATION in udev for a device that it "
                        + "does not include" : reason)
        }
        let axes = InputAccelerometer.codes.compactMap { node.axis($0) }
        guard axes.count == 3 else {
            throw .failed("cannot read the axes of \(path): \(Errno.current)")
        }
        return InputAccelerometer(device.info, node: node, axes: axes, frame: device.traits.frame)
    }

    private static func scan(_ facts: HardwareFacts) throws(SensorFailure) -> [InputDevice] {
        try facts.inputAccelerometers.map { node throws(SensorFailure) in try InputDevice(node, facts: facts) }
    }

    private static func listings(
        _ devices: [InputDevice], _ facts: HardwareFacts, wanted: String?
    ) -> [SensorDescription] {
        let candidates = devices.map { device in
            SensorChoice.Candidate(
                info: device.info, device.traits, recentFailure: facts.recentFailure(of: device.info.id))
        }
        return SensorChoice.listings(candidates, wanted: wanted)
    }
}

/// An input device that udev lists as an accelerometer.
struct InputDevice {
    let info: SensorDescription
    let traits: SensorTraits

    /// Reads the description of an event node, such as `event4`, from sysfs.
    init(_ node: String, facts: HardwareFacts) throws(SensorFailure) {
        let device = try InputAttributes(node: node)
        var attributes = SensorAttributes(properties: facts.properties[node] ?? [:], input: device)
        let failed = FailedRead()
        attributes.addSurroundings(of: .input(node).noting(failed))
        try failed.check()
        traits = SensorTraits(attributes)
        info = traits.description(id: node, name: device.name ?? node, driver: "evdev")
    }
}

extension InputAttributes {
    /// Reads the attributes of an event node from sysfs.
    package init(node: String) throws(SensorFailure) {
        let failed = FailedRead()
        let folder = SysfsFolder.input(node).noting(failed)
        self.init(node: node, line: folder.line(at:), names: folder.names(at:))
        try failed.check()
    }
}
