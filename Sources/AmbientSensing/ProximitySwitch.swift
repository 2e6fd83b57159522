// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing
internal import Support

/// Proximity sensors that are switches of an input device.
package enum ProximitySwitch {
    /// The number of SW_FRONT_PROXIMITY in the kernel's input-event-codes.h.
    static let frontProximity = 11

    package static var source: AmbientSource {
        AmbientSource(
            scan: { facts in facts.inputSwitches.compactMap(describe) },
            open: { wanted, _ throws(SensorFailure) in
                guard let info = describe(wanted.id) else { throw .gone("\(wanted.id): the device was disconnected") }
                if let rejection = info.rejection { throw .failed("\(wanted.id): \(rejection)") }
                do throws(Errno) {
                    return SwitchSensor(info, node: try EventNode(path: "/dev/input/\(wanted.id)"))
                } catch {
                    let reason = "cannot open /dev/input/\(wanted.id): \(error)"
                    throw error.code == ENODEV || error.code == ENOENT ? .gone(reason) : .failed(reason)
                }
            })
    }

    /// Describes an event node, such as `event4`; nil if it has no such switch.
    private static func describe(_ node: String) -> AmbientDescription? {
        describe(node, at: "/dev/input/\(node)", in: SysfsFolder(path: "/sys/class/input/\(node)/device"))
    }

    /// Describes an event node at `path`, with the attributes of its device in `folder`.
    static func describe(_ node: String, at path: String, in folder: SysfsFolder) -> AmbientDescription? {
        guard folder.text("capabilities/sw").map(hasSwitch) == true else { return nil }
        var info = AmbientDescription(
            id: node, name: folder.text("name") ?? node, kind: .proximity, reading: "switch, on each change")
        if folder.text("capabilities/key").map({ $0 != "0" }) == true {
            info.rejection = "it has keys, which orientationd must not read"
        } else if access(path, R_OK) != 0 {
            info.rejection = "cannot open \(path): \(Errno.current)"
        }
        return info
    }

    /// Whether a capability mask, hexadecimal words with the lowest one last, has the switch.
    static func hasSwitch(_ mask: String) -> Bool {
        guard let word = mask.split(separator: " ").last, let bits = UInt64(word, radix: 16) else { return false }
        return bits >> frontProximity & 1 == 1
    }
}

/// An open switch: the kernel reports each change.
private final class SwitchSensor: AmbientSensor {
    let info: AmbientDescription
    private let node: EventNode

    init(_ info: AmbientDescription, node: EventNode) {
        self.info = info
        self.node = node
    }

    var next: AmbientWait { .input(descriptor: node.descriptor) }

    func read(at now: Double) throws(SensorFailure) -> AmbientReading? {
        guard node.drain() else { throw .gone("\(info.id): the device was disconnected") }
        // EVIOCGSW: the states of the switches.
        guard let switches = node.bits(0x1B) else {
            throw .failed("\(info.id): cannot read the switch: \(Errno.current)")
        }
        return .proximity(isNear: switches >> ProximitySwitch.frontProximity & 1 == 1)
    }
}
