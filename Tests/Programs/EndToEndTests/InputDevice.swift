// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

extension Machine {
    /// An input device that udev lists as an accelerometer: an event node that is a FIFO, with answers to its ioctls.
    struct InputDevice {
        /// The number N of `eventN`.
        var number = 4
        var name = "test accelerometer"
        var keys = "0"
        var properties = ["ID_INPUT_ACCELEROMETER": "1"]
        /// The states of SW_FRONT_PROXIMITY that consecutive reads return; empty without such a switch.
        var proximityStates: [Bool] = []
        /// The mask of its switches, if it has others; nil for that of the above.
        var switches: String?
        /// The sysfs attribute `phys`; nil without one.
        var physicalPath: String?

        private var hardware: String { "/devices/platform/input\(number)" }
        var path: String { "\(hardware)/input/input\(number)/event\(number)" }
        var node: String { "/dev/input/event\(number)" }

        var description: String {
            let properties = properties.map { "E: \($0.key)=\($0.value)\n" }.joined()
            return """
                P: \(hardware)
                E: SUBSYSTEM=platform

                P: \(hardware)/input/input\(number)
                E: SUBSYSTEM=input
                A: name=\(name)\\n
                A: capabilities/abs=7\\n
                A: capabilities/key=\(keys)\\n
                A: capabilities/sw=\(switches ?? (proximityStates.isEmpty ? "0" : "800"))\\n
                \(physicalPath.map { "A: phys=\($0)\\n" } ?? "A: uniq=\\n")
                A: id/bustype=0019\\n
                L: device=../../../input\(number)

                P: \(path)
                E: DEVNAME=\(node)
                E: SUBSYSTEM=input
                L: device=../../input\(number)
                \(properties)
                """
        }

        /// The answers to EVIOCGABS: value, minimum, maximum, fuzz, flat and resolution of each axis.
        var answers: String {
            // SW_FRONT_PROXIMITY is bit 11.
            let switches = proximityStates.map { "EVIOCGSW 8 00\($0 ? "08" : "00")000000000000\n" }
            if !switches.isEmpty { return "@DEV \(node)\n\(switches.joined())" }
            // The values 0, -256, 0 from -512 to 512, and no resolution.
            let range = "00FEFFFF00020000" + String(repeating: "0", count: 24)
            let axes = [("", "00000000"), ("(1)", "00FFFFFF"), ("(2)", "00000000")].map { axis, value in
                "EVIOCGABS\(axis) 0 \(value)\(range)\n"
            }
            return "@DEV \(node)\n\(axes.joined())"
        }

        /// Shell commands that create the node.
        var makesNode: String {
            "mkdir -p \"$UMOCKDEV_DIR/dev/input\" && mkfifo \"$UMOCKDEV_DIR\(node)\" && "
        }
    }

    /// The events of an input device, which a test writes.
    final class InputEvents {
        private let path: String
        private var pipe: Int32

        init(_ machine: Machine, _ device: InputDevice) throws {
            path = machine.root + device.node
            pipe = -1
            try plug()
        }

        deinit { unplug() }

        func plug() throws {
            pipe = open(path, O_RDWR | O_CLOEXEC)
            guard pipe >= 0 else { throw TestFailure("cannot open \(path)") }
        }

        func unplug() {
            if pipe >= 0 { close(pipe) }
            pipe = -1
        }

        /// Sends values for a pose; x, y and z are the direction that points up.
        func hold(_ x: Int, _ y: Int, _ z: Int, unit: Int = 256) {
            // x and y have the sign of mount matrices.
            for (code, value) in [-x, -y, z].enumerated() { send(3, UInt16(code), Int32(value * unit)) }
            send(0, 0, 0)
        }

        /// The bytes that the program has not read.
        var unread: Int {
            var count: Int32 = 0
            return ioctl(pipe, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
        }

        /// Sends an event.
        func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            var bytes = [UInt8](repeating: 0, count: 2 * MemoryLayout<UInt>.size)
            withUnsafeBytes(of: type) { bytes += $0 }
            withUnsafeBytes(of: code) { bytes += $0 }
            withUnsafeBytes(of: value) { bytes += $0 }
            _ = Glibc.write(pipe, bytes, bytes.count)
        }
    }
}
