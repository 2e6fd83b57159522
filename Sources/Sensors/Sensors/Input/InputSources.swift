// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel
internal import Posix

/// The row `evdev:` of the source table: accelerometers that are input devices.
package enum InputSource {
    /// The scheme.
    package static let scheme = "evdev"

    /// The row for `evdev:` and `evdev:NAME`; NAME is the device's name or its node, such as `event4`.
    package static var row: SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: true, isHardware: true,
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
            throw .noDevice(SensorChoice.absence(of: wanted, "among the input devices", among: listings))
        }
        do throws(SensorFailure) {
            return try open(device)
        } catch {
            // The failed sensor needs a name, by which the next start tries another one first.
            let hasOther = found.contains { other in
                other.rejection == nil && other.info.id != chosen.id && facts.recentFailure(of: other.info.id) == nil
            }
            guard wanted == nil, hasOther else { throw error }
            return UnavailableAccelerometer(info: device.info, failure: error)
        }
    }

    private static func open(_ device: InputDevice) throws(SensorFailure) -> any Accelerometer {
        let path = "/dev/input/\(device.info.id)"
        let node: EventNode
        do throws(Errno) { node = try EventNode(path: path) } catch {
            let reason = "cannot open \(path): \(error)"
            if error.isRemoval { throw .gone(reason) }
            let isDenied = error.code == EACCES || error.code == EPERM
            throw .failed(isDenied ? "\(reason); install orientationd's udev rule" : reason)
        }
        let axes = InputAccelerometer.codes.compactMap { node.axis($0) }
        guard axes.count == 3 else {
            throw .failed("cannot read the axes of \(path): \(Errno.current)")
        }
        return InputAccelerometer(device.info, node: node, axes: axes, frame: device.frame)
    }

    private static func scan(_ facts: HardwareFacts) -> [InputDevice] {
        facts.inputAccelerometers.map { InputDevice($0, facts: facts) }
    }

    private static func listings(
        _ devices: [InputDevice], _ facts: HardwareFacts, wanted: String?
    ) -> [SensorDescription] {
        let candidates = devices.map { device in
            SensorChoice.Candidate(
                info: device.info, defect: device.rejection, recentFailure: facts.recentFailure(of: device.info.id))
        }
        return SensorChoice.listings(candidates, wanted: wanted)
    }
}

/// A sensor that could not be opened: the first step throws the failure.
private final class UnavailableAccelerometer: Accelerometer {
    let info: SensorDescription
    let supportsBackpressure = false
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
        let device = InputAttributes(node: node)
        let traits = SensorTraits(SensorAttributes(properties: facts.properties[node] ?? [:]))
        frame = traits.frame
        info = traits.description(id: node, name: device.name ?? node, driver: "evdev")
        rejection = InputAccelerometerRule.rejection(of: device)
    }
}

extension InputAttributes {
    /// Reads the attributes of an event node from sysfs.
    package init(node: String) {
        self.init(
            node: node, line: { SmallFile.line($0) }, names: { (try? Folder.names(in: $0)) ?? [] })
    }
}
