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
}
