// SPDX-License-Identifier: Apache-2.0

import OrientationModel

@testable import OrientationTool

/// Devices for the tests of `watch`.
extension WatchedDevice {
    /// Returns a device with a state from a daemon.
    static func state(
        _ orientation: DeviceOrientation, lastEdge: Edge? = nil, natural: Edge = .portrait, reason: String? = nil,
        isLocked: Bool = false
    ) -> WatchedDevice {
        var device = WatchedDevice(settings: .standard)
        device.update(
            OrientationState(
                orientation: orientation, lastEdge: lastEdge ?? Edge(orientation), natural: natural,
                tilt: orientation == .unknown ? nil : 12, disturbance: orientation == .unknown ? nil : 0.04,
                isLocked: isLocked, sequence: 7, instance: "one",
                sensor: orientation == .unknown ? nil : "iio:device0:kxcjk1013", reason: reason))
        return device
    }

    /// Returns the device after two seconds of equal samples at 50 Hz.
    func measuring(_ x: Double, _ y: Double, _ z: Double, noise: (Int) -> Double = { _ in 0 }) -> WatchedDevice {
        var device = self
        for number in 0...100 {
            let vector = Acceleration(x: x + noise(number), y: y - noise(number), z: z + noise(number))
            device.update([Sample(time: Double(number) / 50, acceleration: vector)])
        }
        return device
    }

    /// Returns the device after a lost connection.
    func lost() -> WatchedDevice {
        var device = self
        device.lose("/run/orientationd/orientationd.sock: cannot connect: Connection refused")
        return device
    }

    func refused(
        _ why: String =
            "Live vector, turn and bands require root, the daemon's own user, or membership in the group orientation."
    ) -> WatchedDevice {
        var device = self
        device.refuseMotion(why)
        return device
    }

    func executing(_ report: CommandProgress) -> WatchedDevice {
        var device = self
        device.command = report
        return device
    }
}

extension Screen {
    /// The characters without styles and trailing blanks.
    var text: String {
        lines.map { line in
            String(line[..<(line.lastIndex { $0 != .blank }.map { $0 + 1 } ?? 0)].map(\.character))
        }.joined(separator: "\n")
    }
}
