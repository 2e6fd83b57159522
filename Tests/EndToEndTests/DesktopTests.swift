// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The D-Bus face. One test at a time, here and in what extends it: each blocks the thread that it runs on.
@Suite(.serialized) enum DesktopFace {}

extension DesktopFace {
    /// What desktops do with `net.hadess.SensorProxy`, over a real bus, with the real daemon.
    @Suite struct Desktops {
        private let chip = Machine.Device.upright
        private let bus: PrivateBus

        init() throws {
            bus = try PrivateBus()
        }

        private func daemon(_ arguments: [String] = [], devices: [Machine.Device]? = nil) throws -> RunningDaemon {
            try RunningDaemon(["--dbus"] + arguments, devices: devices, environment: bus.environment)
        }

        private func desktop() throws -> Desktop {
            let desktop = try Desktop(on: bus)
            try desktop.awaitOwner()
            return desktop
        }

        @Test func `a desktop claims, reads, and hears each turn; who claims nothing hears nothing`() throws {
            let daemon = try daemon(devices: [chip])
            let machine = try #require(daemon.machine)
            let (claimant, other) = (try desktop(), try desktop())
            #expect(try claimant.ask("get", "HasAccelerometer") == [.answer("1")])
            #expect(try claimant.ask("get", "AccelerometerOrientation") == [.answer("undefined")])
            // The first reading comes before the answer, and what changes at once is told at once.
            #expect(
                try claimant.claim()
                    == [
                        .signal(["AccelerometerOrientation": "normal", "AccelerometerTilt": "vertical"]),
                        .answer("done"),
                    ])
            let turns: [(Int, Int, String)] = [
                (1, 0, "right-up"), (0, -1, "bottom-up"), (-1, 0, "left-up"), (0, 1, "normal"),
            ]
            for (x, y, name) in turns {
                try machine.hold(chip, x, y, 0)
                #expect(try claimant.event() == .signal(["AccelerometerOrientation": name]))
                #expect(try other.ask("get", "AccelerometerOrientation") == [.answer(name)])
            }
            try machine.hold(chip, 0, 0, 1)
            #expect(try claimant.event() == .signal(["AccelerometerTilt": "face-up"]))
            #expect(
                try other.ask("all") == [
                    .properties([
                        "HasAccelerometer": "1", "AccelerometerOrientation": "normal", "AccelerometerTilt": "face-up",
                        "HasAmbientLight": "0", "LightLevelUnit": "lux", "LightLevel": "0", "HasProximity": "0",
                        "ProximityNear": "0",
                    ])
                ])
        }

        @Test func `a simulated sensor that is gone is absent until it is back, claimed or not`() throws {
            let daemon = try daemon(["--sensor", "fake:poses"])
            let desktop = try desktop()
            let fail = { (seconds: String) in _ = try daemon.runTool("simulate", "fail", "gone", "--duration", seconds)
            }
            let presence: () throws -> Desktop.Event? = { try desktop.ask("get", "HasAccelerometer").last }
            #expect(try presence() == .answer("1"))
            try fail("600")
            #expect(try eventually { try presence() == .answer("0") })
            try fail("0")
            #expect(try eventually { try presence() == .answer("1") })
            try desktop.claim()
            try fail("600")
            try desktop.signal("HasAccelerometer", "0")
            try fail("0")
            try desktop.signal("HasAccelerometer", "1")
        }

        @Test func `who read the properties long before it claims is told what they are by now`() throws {
            let daemon = try daemon(devices: [chip])
            let machine = try #require(daemon.machine)
            let (early, other) = (try desktop(), try desktop())
            #expect(try early.ask("get", "AccelerometerOrientation") == [.answer("undefined")])
            try other.claim()
            try machine.hold(chip, 1, 0, 0)
            try other.signal("AccelerometerOrientation", "right-up")
            #expect(
                try early.claim()
                    == [
                        .signal(["AccelerometerOrientation": "right-up", "AccelerometerTilt": "vertical"]),
                        .answer("done"),
                    ])
        }

        @Test func `who claims where there is no sensor is told nothing, and of one that came for another is told`()
            throws
        {
            let bed = try MockedMachine([], ["--dbus"], environment: bus.environment)
            let (early, other) = (try desktop(), try desktop())
            #expect(try early.ask("get", "HasAccelerometer") == [.answer("0")])
            #expect(try other.claim() == [.answer("done")])
            try bed.plug(chip)
            try other.signal("AccelerometerOrientation", "normal")
            #expect(
                try early.claim()
                    == [
                        .signal([
                            "HasAccelerometer": "1", "AccelerometerOrientation": "normal",
                            "AccelerometerTilt": "vertical",
                        ]), .answer("done"),
                    ])
        }

        @Test func `of two claimants one vanishes, and the sensor runs until the other does`() throws {
            let daemon = try daemon(devices: [chip])
            let machine = try #require(daemon.machine)
            let claimant = try desktop()
            do {
                let other = try desktop()
                try other.claim()
                // Twice is once: one release ends it.
                try other.claim()
                try claimant.claim()
                other.program.send(SIGKILL)
                _ = other.program.wait()
            }
            try machine.hold(chip, 1, 0, 0)
            try claimant.signal("AccelerometerOrientation", "right-up")
            #expect(daemon.threads == 2)
            claimant.program.send(SIGKILL)
            #expect(eventually { daemon.threads == 1 })
            // What was read stays, as iio-sensor-proxy leaves it.
            #expect(try desktop().ask("get", "AccelerometerOrientation") == [.answer("right-up")])
        }

        @Test func `a claim that was made twice ends with one release, and its value stays`() throws {
            let daemon = try daemon(devices: [chip])
            let claimant = try desktop()
            try claimant.claim()
            #expect(try claimant.claim() == [.answer("done")])
            #expect(try claimant.ask("call", "ReleaseAccelerometer") == [.answer("done")])
            #expect(eventually { daemon.threads == 1 })
            #expect(try claimant.ask("get", "AccelerometerOrientation") == [.answer("normal")])
            #expect(try claimant.ask("call", "ReleaseAccelerometer") == [.answer("done")])
        }

        @Test func `sensors that are not there can be claimed and released, and what does not exist is refused`() throws
        {
            let daemon = try daemon(["--sensor", "fake:"])
            let desktop = try desktop()
            for method in ["ClaimLight", "ReleaseLight", "ClaimProximity", "ReleaseProximity", "ReleaseAccelerometer"] {
                #expect(try desktop.ask("call", method) == [.answer("done")])
            }
            for method in ["ClaimCompass", "ReleaseCompass"] {
                #expect(try desktop.ask("compass", method) == [.answer("done")])
            }
            #expect(try desktop.ask("call", "Turn") == [.answer("org.freedesktop.DBus.Error.UnknownMethod")])
            #expect(try desktop.ask("get", "Colour") == [.answer("org.freedesktop.DBus.Error.UnknownProperty")])
            #expect(daemon.threads == 1)
        }

        @Test func `the object describes itself, and its compass`() throws {
            let daemon = try daemon(["--sensor", "fake:"])
            let desktop = try desktop()
            let descriptions = try ["/net/hadess/SensorProxy", "/net/hadess/SensorProxy/Compass"].map { path in
                guard case .answer(let text)? = try desktop.ask("introspect", path).last else { return "" }
                return text
            }
            for name in ["ClaimAccelerometer", "ReleaseProximity", "AccelerometerTilt", "LightLevelUnit", "Compass"] {
                #expect(descriptions[0].contains("name=\"\(name)\""))
            }
            for name in ["ClaimCompass", "HasCompass", "CompassHeading"] {
                #expect(descriptions[1].contains("name=\"\(name)\""))
            }
            withExtendedLifetime(daemon) {}
        }

        @Test func `a sensor that says nothing does not hold a claim up for long`() throws {
            let daemon = try daemon(["--sensor", "fake:"])
            #expect(try daemon.runTool("simulate", "fail", "silent", "--duration", "3600").status == 0)
            let claimant = try desktop()
            #expect(try claimant.claim() == [.answer("done")])
            #expect(try claimant.ask("get", "AccelerometerOrientation") == [.answer("undefined")])
        }

        @Test func `one who claims without end is refused, and the others of its calls are answered`() throws {
            let daemon = try daemon(["--sensor", "fake:"])
            #expect(try daemon.runTool("simulate", "fail", "silent", "--duration", "3600").status == 0)
            let claimant = try desktop()
            for _ in 0..<10 { try claimant.say("call", "ClaimAccelerometer") }
            let answers = try (0..<10).map { _ in try claimant.event() }
            #expect(answers.count { $0 == .answer("org.freedesktop.DBus.Error.LimitsExceeded") } == 2)
            #expect(answers.count { $0 == .answer("done") } == 8)
        }

        @Test func `a sensor that is unplugged while it is claimed says so, and comes back by itself`() throws {
            let bed = try MockedMachine([chip], ["--dbus"], environment: bus.environment)
            let claimant = try desktop()
            try claimant.claim()
            try bed.unplug(chip)
            #expect(try claimant.signal("HasAccelerometer", "0") == .signal(["HasAccelerometer": "0"]))
            #expect(try claimant.ask("get", "AccelerometerOrientation") == [.answer("normal")])
            try bed.plug(chip)
            #expect(try claimant.signal("HasAccelerometer", "1") == .signal(["HasAccelerometer": "1"]))
            try bed.set(chip, "in_accel_y_raw", to: "-196")
            try claimant.signal("AccelerometerOrientation", "bottom-up")
        }

        @Test func `who claims nothing learns of a sensor that comes from the name, which appears anew`() throws {
            let bed = try MockedMachine([], ["--dbus"], environment: bus.environment)
            let desktop = try desktop()
            #expect(try desktop.ask("get", "HasAccelerometer") == [.answer("0")])
            try bed.plug(chip)
            #expect(try desktop.events { $0 == .owner(true) } == [.owner(false), .owner(true)])
            #expect(try desktop.ask("get", "HasAccelerometer") == [.answer("1")])
        }

        /// With two mount matrices that are the same to us. Most have the second's z: that makes iio-sensor-proxy, which reads
        /// tilt with the other sign than orientation, call face-down what lies on its back.
        @Test(
            .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/iio-sensor-proxy")),
            arguments: [1, -1])
        func `monitor-sensor prints the same lines as with iio-sensor-proxy for the same turns`(z: Int) throws {
            // Without polkit iio-sensor-proxy lets nobody claim, from 3.4 on.
            let polkit = try bus.polkit(answering: "allow")
            var device = chip
            device.properties["IIO_SENSOR_PROXY_TYPE"] = "iio-poll-accel"
            device.properties["ACCEL_MOUNT_MATRIX"] = "-1, 0, 0; 0, -1, 0; 0, 0, \(z)"
            let turns: [(Int, Int, String)] = [
                (1, 0, "right-up"), (0, -1, "bottom-up"), (-1, 0, "left-up"), (0, 1, "normal"),
            ]
            func lines(_ machine: Machine) throws -> [String] {
                let desktop = try desktop()
                let monitor = try bus.program("/usr/bin/stdbuf", ["-oL", "/usr/bin/monitor-sensor"])
                var lines = try monitor.lines { $0.hasSuffix("changed: normal") }
                for (x, y, name) in turns {
                    try machine.hold(device, x, y, 0)
                    lines += try monitor.lines { $0.hasSuffix("changed: \(name)") }
                }
                // From 3.6 on.
                if lines.contains(where: { $0.contains("tilt:") }) {
                    try machine.hold(device, 0, 0, 1)
                    lines += try monitor.lines { $0.contains("Tilt changed: face-") }
                }
                machine.program.send(SIGTERM)
                try desktop.awaitOwner(false)
                return lines + [try monitor.line() ?? ""]
            }
            let folder = try TemporaryFolder()
            let address = try #require(bus.environment["DBUS_SYSTEM_BUS_ADDRESS"])
            let theirs = try lines(
                try Machine([device], in: folder, running: "DBUS_SYSTEM_BUS_ADDRESS='\(address)' exec iio-sensor-proxy")
            )
            let ours = try lines(try #require(try daemon(devices: [device]).machine))
            #expect(ours == theirs.map { z < 0 ? $0.replacingOccurrences(of: "face-down", with: "face-up") : $0 })
            #expect(theirs.count > turns.count)
            withExtendedLifetime(polkit) {}
        }
    }
}
