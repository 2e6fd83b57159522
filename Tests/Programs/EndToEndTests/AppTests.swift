// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension SensorProxyTests {
    /// An app that finds the SensorProxy service only.
    @Suite struct AppTests {
        @Test(arguments: [true, false])
        func `an app turns with the edge of the panel, which its screen names, also after a restart of the service`(
            isWide: Bool
        ) throws {
            let bus = try PrivateBus()
            let options = ["--sensor", "fake:natural=\(isWide ? "landscapeLeft" : "portrait")", "--dbus"]
            var daemon: RunningDaemon? = try RunningDaemon(options, environment: bus.environment)
            let app = try InteractiveProgram(
                Programs.example("LoopClient"),
                [bus.directory.path("none"), "poll", "60000"] + (isWide ? ["wide"] : []),
                environment: bus.environment)
            let (top, left) = isWide ? ("landscapeLeft", "portrait") : ("portrait", "landscapeRight")
            let upright = isWide ? "landscapeRight 200x100 1.0" : "portrait 100x200 1.0"
            #expect(try app.program.line() == upright)
            #expect(try app.program.line() == "device \(top)")
            try daemon?.simulate(left)
            #expect(try app.program.line() == "device \(left)")
            #expect(try app.program.line() == (isWide ? "portrait 100x200 1.0" : "landscapeLeft 200x100 1.0"))
            daemon = nil
            #expect(try app.program.line() == "device unknown")
            daemon = try RunningDaemon(options, environment: bus.environment)
            #expect(try app.program.line() == "device \(top)")
            #expect(try app.program.line() == upright)
            #expect(try app.end() == 0)
            withExtendedLifetime(daemon) {}
        }
    }
}
