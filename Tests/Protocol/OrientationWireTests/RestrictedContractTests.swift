// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import TestServer
import Testing
import Varlink

/// Compares the names and messages of the restricted interfaces with their `.varlink` files.
@Suite struct RestrictedContractTests {
    let control: InterfaceContract
    let simulator: InterfaceContract
    let motion: InterfaceContract

    init() throws {
        control = try InterfaceContract(ControlInterface.description.text)
        simulator = try InterfaceContract(SimulatorInterface.description.text)
        motion = try InterfaceContract(MotionInterface.description.text)
    }

    private func expect(
        _ interface: InterfaceContract, name: String, methods: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(interface.name == name, sourceLocation: sourceLocation)
        #expect(methods.allSatisfy { $0.hasPrefix(name + ".") }, sourceLocation: sourceLocation)
        #expect(
            Set(methods.map { String(Call($0).member) }) == Set(interface.methods.keys), sourceLocation: sourceLocation)
    }

    @Test func `the names of the interfaces and their methods match the files`() {
        expect(
            control, name: "org.orientationd.Control",
            methods: [
                ControlInterface.setRotationLock, ControlInterface.toggleRotationLock, ControlInterface.setLogLevel,
                ControlInterface.status,
            ])
        expect(
            simulator, name: "org.orientationd.Simulator",
            methods: [
                SimulatorInterface.setPose, SimulatorInterface.setLidAngle, SimulatorInterface.setAcceleration,
                SimulatorInterface.turn,
                SimulatorInterface.shake, SimulatorInterface.fail, SimulatorInterface.setTabletMode,
                SimulatorInterface.setLight, SimulatorInterface.setProximity, SimulatorInterface.setHeading,
            ])
        expect(motion, name: "org.orientationd.Motion", methods: [MotionInterface.monitor])
    }

    @Test func `the edges and poses of the files match the model`() {
        #expect(control.types["Edge"] == .enumeration(Edge.allCases.map(\.description)))
        let poses = DeviceOrientation.allCases.filter { $0 != .unknown }
        #expect(simulator.types["Pose"] == .enumeration(poses.map(\.description)))
    }

    @Test func `PermissionDenied matches each file`() throws {
        for interface in [control, simulator, motion] {
            let reply = ErrorReply.permissionDenied(interface.name, needs: "root")
            #expect(reply.name == interface.name + ".PermissionDenied")
            let definition = try #require(interface.errors["PermissionDenied"])
            try interface.check(.object(reply.parameters), against: definition)
            #expect(reply.permissionNeeds == "root")
        }
    }

    @Test func `NoSensor matches its file`() throws {
        let reply = ErrorReply.noSensor("light")
        let definition = try #require(simulator.errors[String(Call(reply.name).member)])
        try simulator.check(.object(reply.parameters), against: definition)
        #expect(reply.missingSensor == "light")
        #expect([control, simulator, motion].map(\.errors.count) == [1, 2, 1])
    }

    @Test func `samples with and without raw values and origin match the file`() throws {
        let output = try #require(motion.methods["Monitor"]?.output)
        let plain: JSONValue = ["timestamp": 1, "x": 0, "y": 9.81, "z": 0]
        try motion.check(["samples": [plain]], against: output)
        let matrix: JSONValue = [1, 0, 0, 0, 1, 0, 0, 0, 1]
        let origin: JSONValue = ["device": "iio:0", "matrix": matrix, "matrixSource": "driver"]
        let raw: JSONValue = ["timestamp": 2, "x": 0, "y": 9.81, "z": 0, "raw": [0, 1024, 0]]
        try motion.check(["samples": [raw], "origin": origin], against: output)
        try motion.check(["samples": [], "reason": "sensor removed"], against: output)
        #expect(throws: JSONMismatch.self) { try motion.check(["origin": origin], against: output) }
    }
}
