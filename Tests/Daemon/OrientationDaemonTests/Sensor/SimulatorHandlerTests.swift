// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Systemd
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

@Suite struct SimulatorHandlerTests {
    private let bench: StateBench

    init() throws { bench = try StateBench(simulatedSensors: Set(FakeSource.sensors)) }

    private func moves(_ effects: [Effect]) -> [SimulatedDevice.Move] {
        effects.compactMap { if case .moveSimulatedDevice(let move) = $0 { move } else { nil } }
    }

    @Test func `a simulated device is moved for trusted callers`() throws {
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Simulator.SetPose", ["pose": "faceUp"], from: caller)
        #expect(moves(effects).count == 1 && effects.messages(to: caller) == [#"{"parameters":{}}"#])
        let other = bench.client()
        let refused = bench.call("Simulator.SetPose", ["pose": "faceUp"], from: other)
        #expect(moves(refused).isEmpty && refused.messages(to: other).first?.contains("PermissionDenied") == true)
    }

    @Test func `a pose is that of the natural orientation`() throws {
        let bench = try StateBench(simulatedSensors: Set(FakeSource.sensors), natural: .landscapeLeft)
        let caller = bench.client(isTrusted: true)
        let held = bench.call("Simulator.SetPose", ["pose": "landscapeLeft"], from: caller)
        #expect(moves(held) == [.hold(.portrait)])
        let turned = bench.call("Simulator.Turn", ["to": "portrait"], from: caller)
        #expect(moves(turned) == [.turn(to: .landscapeRight, duration: 0.4)])
        let flat = bench.call("Simulator.SetPose", ["pose": "faceDown"], from: caller)
        #expect(moves(flat) == [.hold(.faceDown)])
    }

    @Test(
        arguments: [
            ("SetPose", ["pose": "sideways"], "pose"), ("SetPose", ["pose": "unknown"], "pose"),
            ("Turn", ["to": "portrait", "duration": -1], "duration"),
            ("Shake", ["duration": 1e9], "duration"), ("SetAcceleration", ["x": 1e9, "y": 0, "z": 0], "x"),
            ("Fail", ["kind": "never"], "kind"),
        ] as [(String, JSONObject, String)])
    func `a value out of range is refused by name`(method: String, parameters: JSONObject, name: String) throws {
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Simulator.\(method)", parameters, from: caller)
        #expect(moves(effects).isEmpty)
        #expect(effects.messages(to: caller).first?.contains(#""parameter":"\#(name)""#) == true)
    }

    @Test func `a simulated switch sets the tablet mode of the state`() throws {
        let caller = bench.client(isTrusted: true)
        let subscriber = bench.subscriber()
        for isTablet in [true, false] {
            let effects = bench.call("Simulator.SetTabletMode", ["tabletMode": .bool(isTablet)], from: caller)
            #expect(moves(effects).isEmpty && effects.messages(to: caller) == [#"{"parameters":{}}"#])
            #expect(effects.messages(to: subscriber).first?.contains(#""tabletMode":\#(isTablet)"#) == true)
        }
        let refused = bench.call("Simulator.SetTabletMode", ["tabletMode": "yes"], from: caller)
        #expect(refused.messages(to: caller).first?.contains(#""parameter":"tabletMode""#) == true)
    }

    @Test func `without a simulated device there is no such interface`() throws {
        let bench = try StateBench()
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Simulator.Shake", from: caller)
        #expect(effects.messages(to: caller).first?.contains("InterfaceNotFound") == true)
    }

    @Test func `a simulated removal changes the devices, now and when the sensor returns`() throws {
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Simulator.Fail", ["kind": "gone", "duration": 3], from: caller)
        #expect(moves(effects).count == 1 && effects.timers[.simulatedReturn] == 3)
        #expect(effects.messages(to: caller) == [#"{"parameters":{}}"#])
        let silent = bench.call("Simulator.Fail", ["kind": "silent", "duration": 3], from: caller)
        #expect(moves(silent).count == 1 && silent.timers[.simulatedReturn] == nil)
    }

    @Test(
        arguments: [
            ("SetPose", ["pose": "faceUp"], .accelerometer), ("Shake", [:], .accelerometer),
            ("SetLight", ["level": 300], .light), ("SetProximity", ["near": true], .proximity),
            ("SetHeading", ["heading": 90], .compass),
        ] as [(String, JSONObject, SensorKind)])
    func `a call for a sensor that the device does not have is refused`(
        method: String, parameters: JSONObject, sensor: SensorKind
    ) throws {
        let bench = try StateBench(simulatedSensors: Set(FakeSource.sensors).subtracting([sensor]))
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Simulator.\(method)", parameters, from: caller)
        let reply = #"{"error":"org.orientationd.Simulator.NoSensor","parameters":{"sensor":"\#(sensor)"}}"#
        #expect(effects.count == 1 && effects.messages(to: caller) == [reply])
        let failure = bench.call("Simulator.Fail", ["kind": "failed"], from: caller)
        #expect(moves(failure) == [.fail(.failed, duration: 2)])
    }
}
