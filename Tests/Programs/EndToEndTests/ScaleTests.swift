// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Chips with a wrong or missing scale, and recordings in g: iio-sensor-proxy supports them, because it uses angles
/// only.
@Suite(.serialized) struct ScaleTests {
    /// ``Machine/Device/upright`` with another scale; 196 units are 1 g.
    private static func chip(scale: Double?) -> Machine.Device {
        var chip = Machine.Device.upright
        chip.attributes["in_accel_scale"] = scale.map { "\($0)" }
        return chip
    }

    /// No scale, half of it, in g, twice it, a thousandth, and one that would turn the picture by 180°.
    @Test(arguments: [nil, 0.05 * 0.51, 0.05 / 9.80665, 0.1, 0.00005, -0.05])
    func `a polled chip with a wrong scale has an orientation in the first reply, and follows turns`(
        scale: Double?
    ) throws {
        let chip = Self.chip(scale: scale)
        let daemon = try RunningDaemon([], devices: [chip])
        let machine = try #require(daemon.machine)
        #expect(try daemon.state.orientation == "portrait")
        let watch = try daemon.watch(until: "portrait")
        for (pose, (x, y, z)) in [("landscapeLeft", (1, 0, 0)), ("faceDown", (0, 0, -1)), ("portrait", (0, 1, 0))] {
            try machine.hold(chip, x, y, z)
            #expect(try watch.state().orientation == pose)
        }
    }

    /// An invalid scale, and none.
    @Test(arguments: ["nonsense", nil])
    func `an axis without a valid scale has that of another axis`(scale: String?) throws {
        var chip = Self.chip(scale: nil)
        chip.attributes.merge(["in_accel_y_scale": "0.05", "in_accel_z_scale": "0.05"]) { $1 }
        chip.attributes["in_accel_x_scale"] = scale
        let daemon = try RunningDaemon([], devices: [chip])
        let machine = try #require(daemon.machine)
        let watch = try daemon.watch(until: "portrait")
        try machine.hold(chip, 1, 0, 0)
        #expect(try watch.state().orientation == "landscapeLeft")
        let warnings = try daemon.runTool("sensors").output.filter { $0.contains("warning:") }
        #expect(warnings.count == 1)
        #expect(warnings[0].contains("using 0.05, the scale of another axis"))
        #expect(warnings[0].contains("in_accel_x_scale"))
    }
}

// MARK: Recordings

extension ScaleTests {
    /// Ten seconds of a hand-held device that is turned after five, in g.
    private static let inG = (0..<250).map { index in
        let tremble = Double(index % 5) / 500
        return "\(Double(index) / 25),\(index < 125 ? "\(tremble),0.99" : "0.99,\(tremble)"),0.05\n"
    }.joined()

    @Test func `classify and plot accept a recording in g and report the correction once`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Self.inG, to: "g.csv")
        for arguments in [["classify", file], ["plot", file, "-o", folder.path + "/g.svg"]] {
            let run = try RunningProgram.run(Programs.tool, arguments)
            #expect(run.status == 0)
            #expect(
                run.errors.contains(
                    "\(file): scale looks wrong by a factor of 0.102, as if readings were in g; corrected"))
            #expect(run.errors.components(separatedBy: "corrected").count == 2)
            if arguments[0] != "plot" { #expect(run.output.map { $0.contains("landscapeLeft") } == [false, true]) }
        }
    }
}
