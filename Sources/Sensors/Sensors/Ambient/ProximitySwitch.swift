// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix

/// Proximity sensors that are switches of an input device.
package enum ProximitySwitch {
    package static var source: AmbientSource {
        AmbientSource { facts throws(SensorFailure) in
            try facts.inputSwitches.map(describe).compactMap(\.self).map { info in
                FoundSensor(info: info) { () throws(SensorFailure) in try open(info) }
            }
        }
    }

    private static func open(_ info: SensorDescription) throws(SensorFailure) -> any AmbientSensor {
        do throws(Errno) {
            return SwitchSensor(info, node: try SwitchNode(.frontProximity, node: info.id))
        } catch {
            let reason = "cannot open /dev/input/\(info.id): \(error)"
            throw error.isRemoval ? .gone(reason) : .failed(reason)
        }
    }

    /// Describes an event node, such as `event4`; nil if it has no such switch.
    private static func describe(_ node: String) throws(SensorFailure) -> SensorDescription? {
        describe(node, at: "/dev/input/\(node)", try InputAttributes(node: node))
    }

    /// Describes an event node at `path`.
    static func describe(_ node: String, at path: String, _ device: InputAttributes) -> SensorDescription? {
        guard device.has(.frontProximity) else { return nil }
        var info = SensorDescription(
            .proximity, id: node, name: device.name ?? node, method: "switch, on each change")
        info.rejection = device.switchRejection
        if info.rejection == nil, access(path, R_OK) != 0 {
            info.rejection = "cannot open \(path): \(Errno.current)"
        }
        return info
    }
}

/// An open switch: the kernel reports each change, or it is polled.
private final class SwitchSensor: AmbientSensor {
    let info: SensorDescription
    private let node: SwitchNode

    init(_ info: SensorDescription, node: SwitchNode) {
        var info = info
        if !node.sendsEvents { info.method = "switch, polled once a second" }
        self.info = info
        self.node = node
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        do throws(Errno) {
            return .sample(
                .proximity(isNear: try node.isClosed()),
                then: node.sendsEvents
                    ? .input(descriptor: node.descriptor) : .pause(seconds: SwitchNode.pollingInterval))
        } catch {
            if error.isRemoval { throw .gone("\(info.id): the device was disconnected") }
            throw .failed("\(info.id): cannot read the switch: \(error)")
        }
    }
}
