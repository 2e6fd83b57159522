// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sensing

/// Proximity sensors that are switches of an input device.
package enum ProximitySwitch {
    /// The number of SW_FRONT_PROXIMITY in the kernel's input-event-codes.h.
    static let frontProximity = 11

    package static var source: AmbientSource {
        AmbientSource(
            scan: { facts in facts.inputSwitches.compactMap(describe) },
            open: { wanted, _ throws(SensorFailure) in
                guard let info = describe(wanted.id) else { throw .gone("\(wanted.id): the device was disconnected") }
                guard let node = EventNode(path: "/dev/input/\(wanted.id)") else {
                    let code = errno
                    let reason = "cannot open /dev/input/\(wanted.id): \(String(cString: strerror(code)))"
                    throw code == ENODEV || code == ENOENT ? .gone(reason) : .failed(reason)
                }
                return SwitchSensor(info, node: node)
            })
    }

    /// Describes an event node, such as `event4`; nil if it has no such switch.
    private static func describe(_ node: String) -> AmbientDescription? {
        let folder = SysfsFolder(path: "/sys/class/input/\(node)/device")
        guard folder.text("capabilities/sw").map(hasSwitch) == true else { return nil }
        var info = AmbientDescription(
            id: node, name: folder.text("name") ?? node, kind: .proximity, reading: "switch, on each change")
        if access("/dev/input/\(node)", R_OK) != 0 {
            let hasKeys = folder.text("capabilities/key").map { $0 != "0" } ?? false
            info.rejection =
                "cannot open /dev/input/\(node): \(String(cString: strerror(errno)))"
                + (hasKeys ? "; it has keys too, which orientationd must not read" : "")
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
            throw .failed("\(info.id): cannot read the switch: \(String(cString: strerror(errno)))")
        }
        return .proximity(isNear: switches >> ProximitySwitch.frontProximity & 1 == 1)
    }
}
