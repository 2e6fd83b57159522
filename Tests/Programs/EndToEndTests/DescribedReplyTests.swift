// SPDX-License-Identifier: Apache-2.0

import TestServer
import TestSupport
import Testing
import Varlink

/// Compares the daemon's replies with the interface descriptions that the daemon publishes.
@Suite(.serialized) struct DescribedReplyTests {
    /// Optional members that each reply must have, because the test creates the case in which they are present.
    private static let calls: [(method: String, parameters: String, members: Set<String>)] = [
        ("org.orientationd.Orientation.Get", "{}", ["state"]),
        ("org.orientationd.Orientation.Monitor", "{}", ["state"]),
        ("org.orientationd.Orientation.ListSensors", "{}", ["sensors"]),
        ("org.orientationd.Control.SetLogLevel", #"{"level":"notice"}"#, []),
        ("org.orientationd.Control.SetRotationLock", #"{"locked":true,"edge":"portrait"}"#, ["notKept"]),
        ("org.orientationd.Control.ToggleRotationLock", "{}", ["notKept"]),
        ("org.orientationd.Control.ToggleRotationLock", "{}", ["lockedTo", "notKept"]),
        ("org.orientationd.Simulator.SetPose", #"{"pose":"portrait"}"#, []),
        ("org.orientationd.Simulator.SetAcceleration", #"{"x":0,"y":9.81,"z":0}"#, []),
        ("org.orientationd.Simulator.Turn", #"{"to":"landscapeLeft","duration":0}"#, []),
        ("org.orientationd.Simulator.Shake", #"{"duration":0}"#, []),
        ("org.orientationd.Simulator.SetTabletMode", #"{"tabletMode":true}"#, []),
        ("org.orientationd.Simulator.SetLidAngle", #"{"angle":90}"#, []),
        ("org.orientationd.Simulator.SetLight", #"{"level":300}"#, []),
        ("org.orientationd.Simulator.SetProximity", #"{"near":true}"#, []),
        ("org.orientationd.Simulator.SetHeading", #"{"heading":90}"#, []),
        ("org.orientationd.Orientation.ListAmbientSensors", "{}", ["sensors", "served"]),
        ("org.orientationd.Simulator.Fail", #"{"kind":"failed","duration":3600}"#, []),
        ("org.orientationd.Orientation.Get", "{}", ["state"]),
    ]

    @Test func `the reply of each method has the described type`() throws {
        // The state directory cannot be created: SetRotationLock reports it.
        let daemon = try RunningDaemon(["--sensor", "fake:", "--state-directory", "/dev/null/nowhere"])
        let contract = try Contract(of: daemon.socket)
        // Keeps the sensor on, so that its members are present.
        let motion = "org.orientationd.Motion.Monitor"
        var follower = try RawClient(to: daemon.socket)
        try follower.send(#"{"method":"\#(motion)","more":true}|"#)
        let samples = try contract.check(try follower.message(), of: motion)
        #expect(try samples.value("origin", as: JSONObject.self)["classifier"] != nil)
        var tested: Set<String> = [motion]
        var client = try RawClient(to: daemon.socket)
        for call in Self.calls {
            try client.send(#"{"method":"\#(call.method)","parameters":\#(call.parameters)}|"#)
            let reply = try contract.check(try client.message(), of: call.method)
            for member in call.members { #expect(reply[member] != nil, "\(call.method): no \(member)") }
            tested.insert(call.method)
        }
        while try contract.check(try follower.message(), of: motion)["reason"] == nil {}
        let status = "org.orientationd.Control.Status"
        try client.send(#"{"method":"\#(status)"}|"#)
        let reply = try contract.check(try client.message(), of: status)
        #expect(try reply.value("failures", as: [JSONObject].self).isEmpty == false)
        #expect(tested.union([status]) == contract.methods)
    }
}

/// The interfaces of a running daemon, as GetInterfaceDescription returns them.
private struct Contract {
    private let interfaces: [InterfaceContract]

    init(of socket: String) throws {
        var client = try RawClient(to: socket)
        let info = try #require(try client.call(Call("org.varlink.service.GetInfo")).first)
        var interfaces: [InterfaceContract] = []
        for name in try info.value("interfaces", as: [String].self) where name.hasPrefix("org.orientationd.") {
            let call = Call("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
            let reply = try #require(try client.call(call).first)
            interfaces.append(try InterfaceContract(reply.value("description")))
        }
        self.interfaces = interfaces
    }

    /// All methods, with the names of their interfaces.
    var methods: Set<String> {
        Set(interfaces.flatMap { interface in interface.methods.keys.map { "\(interface.name).\($0)" } })
    }

    /// Returns a reply's parameters; throws if they do not have the described type.
    func check(_ message: String?, of method: String) throws -> JSONObject {
        let call = Call(method)
        let interface = try #require(interfaces.first { $0.name == call.interface })
        let output = try #require(interface.methods[String(call.member)]?.output)
        guard case .object(let reply) = try JSONValue(parsing: try #require(message)) else {
            throw TestFailure("\(method) returned \(message ?? "nothing")")
        }
        #expect(reply["error"] == nil, "\(method)")
        let parameters = try reply.value("parameters", as: JSONObject.self)
        try interface.check(parameters, against: output)
        return parameters
    }
}
