// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension SensorProxyTests {
    /// The contract of every row of `SensorURI.ambientSources`.
    @Suite struct AmbientSourceContractTests {
        private let bus: PrivateBus

        init() throws { bus = try PrivateBus() }

        /// A daemon with one source, and functions that change what its sensor reads.
        struct Bench {
            /// The process of the daemon.
            let daemon: Int32
            let socket: String
            /// Makes the sensor read the first or the second value of ``Source/values``.
            let set: (Int) throws -> Void
            /// Removes the sensor, and adds it again; nil if the source has no such sensors.
            var unplug: (() throws -> Void)?
            var plug: (() throws -> Void)?
            /// What has to stay alive.
            let others: [Any]

            func listed() throws -> [String] {
                let list = try RunningProgram.run(
                    Programs.tool, toolOptions(socket) + ["sensors", "--ambient"])
                guard list.status == 0 else { throw TestFailure(list.errors) }
                return list.output
            }
        }

        /// The sources; a new source is a row.
        enum Source: String, CaseIterable, CustomTestStringConvertible {
            case polled, captured, proximity, compass, inputSwitch, platform, simulation

            var testDescription: String { rawValue }

            /// The claimed kind of sensor, as in the list, and the sensor's name there.
            var listing: String {
                switch self {
                case .polled, .captured: "* light: iio:device0: als"
                case .proximity: "* proximity: iio:device0: als"
                case .compass: "* compass: iio:device0: als"
                case .inputSwitch: "* proximity: event4: proximity"
                case .platform: "* light: chip0: applesmc"
                case .simulation: "* light: fake: simulated device"
                }
            }

            /// The listed way of reading while the sensor runs.
            var reading: String {
                switch self {
                case .polled: "in_illuminance_raw, every 0.8 s"
                case .captured: "captured from its buffer"
                case .proximity: "in_proximity_raw, every 0.7 s"
                case .compass: "in_rot_from_north_magnetic_tilt_comp_raw, every 0.7 s"
                case .inputSwitch: "switch, on each change"
                case .platform: "light, every 0.4 s"
                case .simulation: "requested simulation"
                }
            }

            /// The property of the readings, and its value after the first and the second ``Bench/set``.
            var property: String {
                switch self {
                case .polled, .captured, .platform, .simulation: "LightLevel"
                case .proximity, .inputSwitch: "ProximityNear"
                case .compass: "CompassHeading"
                }
            }

            var values: [String] {
                switch self {
                case .polled, .captured: ["300", "20"]
                case .proximity, .inputSwitch: ["1", "0"]
                case .compass: ["180", "90"]
                case .platform: ["100", "20"]
                case .simulation: ["700", "600"]
                }
            }

            /// The property whose value is 1 while there is a sensor.
            var presence: String {
                switch self {
                case .polled, .captured, .platform, .simulation: "HasAmbientLight"
                case .proximity, .inputSwitch: "HasProximity"
                case .compass: "HasCompass"
                }
            }

            func claim(_ desktop: Desktop) throws -> [Desktop.Event] { try call("Claim", desktop) }

            func release(_ desktop: Desktop) throws -> [Desktop.Event] { try call("Release", desktop) }

            private func call(_ verb: String, _ desktop: Desktop) throws -> [Desktop.Event] {
                switch self {
                case .polled, .captured, .platform, .simulation: try desktop.request("call", verb + "Light")
                case .proximity, .inputSwitch: try desktop.request("call", verb + "Proximity")
                case .compass: try desktop.request("compass", verb + "Compass")
                }
            }

            func bench(_ bus: PrivateBus) throws -> Bench {
                switch self {
                case .polled: try attribute("in_illuminance_raw", ["600", "40"], bus)
                case .proximity: try attribute("in_proximity_raw", ["256", "0"], bus)
                case .compass: try attribute("in_rot_from_north_magnetic_tilt_comp_raw", ["1800", "900"], bus)
                case .platform:
                    try attribute(
                        "light", ["(255,0)", "(51,0)"], bus,
                        of: Machine.Device(
                            driver: "applesmc", attributes: ["light": "(128,64)", "name": "applesmc"]
                        ).onPlatform)
                case .captured: try captured(bus)
                case .inputSwitch: try inputSwitch(bus)
                case .simulation: try simulation(bus)
                }
            }

            private func attribute(
                _ name: String, _ texts: [String], _ bus: PrivateBus, of device: Machine.Device = .ambientHub
            ) throws -> Bench {
                let bed = try Testbed([device], ["--dbus"], environment: bus.environment)
                return Bench(
                    daemon: bed.daemon, socket: bed.folder.path + "/socket",
                    set: { try bed.set(device, name, to: texts[$0]) },
                    unplug: { try bed.unplug(device) }, plug: { try bed.plug(device) }, others: [])
            }

            private func captured(_ bus: PrivateBus) throws -> Bench {
                let daemon = try bus.daemon(devices: [.capturingHub])
                guard let machine = daemon.machine else { throw TestFailure("no emulated machine") }
                let scans = try Scans(machine, .capturingHub)
                return Bench(
                    daemon: daemon.program.identifier, socket: daemon.socket,
                    set: { try scans.write([600, 40][$0]) }, others: [daemon])
            }

            private func inputSwitch(_ bus: PrivateBus) throws -> Bench {
                var input = Machine.InputDevice()
                input.name = "proximity"
                input.properties = ["ID_INPUT_SWITCH": "1"]
                // At the claim, and after the two changes.
                input.proximityStates = [false, true, false]
                let faults = try Faults()
                try faults.set("mask", "/event4", 1)
                let daemon = try bus.daemon(devices: [], inputs: [input], faults: faults)
                guard let machine = daemon.machine else { throw TestFailure("no emulated machine") }
                let events = try Machine.InputEvents(machine, input)
                // EV_SW of SW_FRONT_PROXIMITY; the state is read from the device.
                return Bench(
                    daemon: daemon.program.identifier, socket: daemon.socket,
                    set: { events.send(5, 11, $0 == 0 ? 1 : 0) }, others: [daemon, faults])
            }

            private func simulation(_ bus: PrivateBus) throws -> Bench {
                let daemon = try bus.daemon(["--sensor", "fake:"])
                return Bench(
                    daemon: daemon.program.identifier, socket: daemon.socket,
                    set: { try daemon.simulate("light", ["700", "600"][$0]) },
                    unplug: { try daemon.simulate("fail", "gone", "--duration", "3600") },
                    plug: { try daemon.simulate("fail", "gone", "--duration", "0") }, others: [daemon])
            }
        }

        @Test(arguments: Source.allCases)
        func `a claim starts the listed sensor, each change is signaled, and the thread ends with the last claim`(
            source: Source
        ) throws {
            let bench = try source.bench(bus)
            let desktop = try bus.desktop()
            #expect(try bench.listed().contains(source.listing))
            #expect(eventually { RunningDaemon.sensorThreads(of: bench.daemon).isEmpty })
            for _ in 0..<2 {
                #expect(try source.claim(desktop).last == .answer("done"))
                #expect(eventually { RunningDaemon.sensorThreads(of: bench.daemon) == ["ambient"] })
                let listed = try bench.listed()
                #expect(listed.contains("    used for desktops: \(source.reading)"), "\(listed)")
                for (index, value) in source.values.enumerated() {
                    try bench.set(index)
                    try desktop.signal(source.property, value)
                }
                #expect(try source.release(desktop) == [.answer("done")])
                #expect(eventually { RunningDaemon.sensorThreads(of: bench.daemon).isEmpty })
                // The emulated switch has states for one claim.
                if source == .inputSwitch { break }
            }
            kill(bench.daemon, SIGTERM)
            try desktop.awaitOwner(false)
        }

        @Test(arguments: Source.allCases)
        func `the removal of a claimed sensor is signaled, and its readings continue after its return`(
            source: Source
        ) throws {
            let bench = try source.bench(bus)
            guard let unplug = bench.unplug, let plug = bench.plug else { return }
            let desktop = try bus.desktop()
            #expect(try source.claim(desktop).last == .answer("done"))
            try unplug()
            try desktop.signal(source.presence, "0")
            try plug()
            try desktop.signal(source.presence, "1")
            try bench.set(0)
            try desktop.signal(source.property, source.values[0])
        }
    }
}
