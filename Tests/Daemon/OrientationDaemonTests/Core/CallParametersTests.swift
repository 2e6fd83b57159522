// SPDX-License-Identifier: Apache-2.0

import OrientationWire
import Sensors
import TestServer
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

/// Compares the decoders of the handlers with the `.varlink` files: the methods, their parameters and the types of these.
@Suite struct CallParametersTests {
    private nonisolated static let interfaces = [
        OrientationInterface.description, MotionInterface.description, ControlInterface.description,
        DisplayInterface.description, SimulatorInterface.description,
    ]
    /// A value of each type; one that is valid in every range, list and choice of the daemon.
    private nonisolated static let values: [String: JSONValue] = [
        "bool": true, "int": 1, "float": 1, "string": "portrait",
    ]

    /// Returns the error of a call by a trusted user with an active session; nil if it is accepted.
    private func refusal(_ method: String, _ parameters: JSONObject) throws -> String? {
        let bench = try StateBench(simulatedSensors: Set(FakeSource.sensors), servesSensorProxy: true)
        let caller = bench.client(isTrusted: true)
        bench.seats = [caller.user]
        let name = String(method.dropFirst("org.orientationd.".count))
        let effects = bench.call(name, parameters, mode: .more, from: caller)
        return effects.messages(to: caller).first { $0.contains(#"{"error""#) }
    }

    private func expect(
        _ method: String, _ parameters: JSONObject, refuses name: String?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = name.map { EncodedMessage(error: .invalidParameter($0)).text }
        #expect(try refusal(method, parameters) == error, "\(method) \(parameters)", sourceLocation: sourceLocation)
    }

    @Test(arguments: interfaces)
    func `each decoder takes what its file describes, and refuses other types and names`(
        description: InterfaceDescription
    ) throws {
        let contract = try InterfaceContract(description.text)
        #expect(Set(contract.methods.keys) == Set(description.methods))
        for (member, (input, _)) in contract.methods {
            let method = "\(contract.name).\(member)"
            let full = JSONObject(input.map { ($0.name, value(of: $0.type, in: contract)) })
            try contract.check(full, against: input)
            try expect(method, full, refuses: nil)
            var extended = full
            extended["newer"] = .null
            try expect(method, extended, refuses: "newer")
            for field in input {
                var parameters = full
                for absent in [nil, JSONValue.null] {
                    parameters[field.name] = absent
                    try expect(method, parameters, refuses: field.type.isNullable ? nil : field.name)
                }
                let others: [JSONValue] = [true, 1, 1.5, "sideways", [1], ["sideways"], [nil], [:], "\u{212A}"]
                for other in others where (try? contract.check(other, against: field.type)) == nil {
                    parameters[field.name] = other
                    try expect(method, parameters, refuses: field.name)
                }
            }
        }
    }

    /// A value of a type; the first case of an enumeration.
    private func value(of type: InterfaceContract.ValueType, in contract: InterfaceContract) -> JSONValue {
        switch type {
        case .name(let name): Self.values[name] ?? contract.types[name].map { value(of: $0, in: contract) } ?? .null
        case .nullable(let type): value(of: type, in: contract)
        case .array(let type): .array([value(of: type, in: contract)])
        case .enumeration(let cases): .string(cases[0])
        case .structure: .null
        }
    }

    @Test func `each case of an enumeration is accepted`() throws {
        func expect(
            _ type: String, of interface: InterfaceDescription, as call: (JSONValue) -> (String, JSONObject)
        ) throws {
            guard case .enumeration(let cases)? = try InterfaceContract(interface.text).types[type] else {
                throw JSONMismatch(path: type, expected: "an enumeration", found: "another type")
            }
            for name in cases {
                let (method, parameters) = call(.string(name))
                try self.expect(method, parameters, refuses: nil)
            }
        }
        try expect("Pose", of: SimulatorInterface.description) { (SimulatorInterface.setPose, ["pose": $0]) }
        try expect("Failure", of: SimulatorInterface.description) { (SimulatorInterface.fail, ["kind": $0]) }
        try expect("LogLevel", of: ControlInterface.description) { (ControlInterface.setLogLevel, ["level": $0]) }
        try expect("Edge", of: ControlInterface.description) {
            (ControlInterface.setRotationLock, ["locked": true, "edge": $0])
        }
    }
}
