// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import SeededRandomness
import TestServer
import Testing
import Varlink

/// Compares the message types with the `.varlink` file.
@Suite struct ContractTests {
    let interface: InterfaceContract

    init() throws {
        interface = try InterfaceContract(OrientationInterface.description.text)
    }

    static let full: OrientationState = {
        var state = OrientationState(
            orientation: .landscapeLeft, lastEdge: .landscapeRight, natural: .landscapeLeft, tilt: -12.3,
            disturbance: 0.1, isLocked: true, lockedTo: .portraitUpsideDown, tabletMode: true, sequence: 7,
            instance: "i", timestamp: 81_726_354, sensor: "iio:0", reason: "none")
        state.lidAngle = 270
        state.isTabletSwitchOverruled = true
        state.hasSensorFailed = true
        return state
    }()
    static let empty = OrientationState(sequence: 1, instance: "i")

    @Test func `the names of the interface and its methods match the file`() {
        #expect(interface.name == OrientationInterface.name)
        let names = [
            OrientationInterface.get, OrientationInterface.monitor, OrientationInterface.listSensors,
            OrientationInterface.listAmbientSensors,
        ]
        #expect(names.map { String(Call($0).interface) } == Array(repeating: interface.name, count: 4))
        #expect(Set(names.map { String(Call($0).member) }) == Set(interface.methods.keys))
    }

    @Test func `the orientations and edges of the file match the model`() {
        #expect(
            interface.types["DeviceOrientation"]
                == .enumeration(DeviceOrientation.allCases.map(\.description)))
        #expect(interface.types["Edge"] == .enumeration(Edge.allCases.map(\.description)))
    }

    /// The parameters of an encoded reply.
    private static func parameters(of message: EncodedMessage) throws -> JSONObject {
        try JSONObject(json: JSONValue(parsing: Array(message.bytes.dropLast()))).value("parameters")
    }

    @Test func `the encoded reply of any state parses to the members of the state, in their order`() throws {
        var generator = SeededGenerator(seed: 16)
        for number in 0..<300 {
            func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
            let texts = ["", "iio:device0", "\"quoted\\", "line\nfeed \u{9B}", "Lagesensor für Übergrößen"]
            let state = OrientationState(
                orientation: DeviceOrientation.allCases.randomElement(using: &generator) ?? .unknown,
                lastEdge: maybe(.landscapeLeft), natural: .landscapeLeft,
                tilt: maybe(.random(in: -90...90, using: &generator)),
                disturbance: maybe(.random(in: 0...40, using: &generator)),
                isLocked: .random(using: &generator), lockedTo: maybe(.portrait), tabletMode: maybe(true),
                sequence: .random(in: 1...(.max), using: &generator),
                instance: texts.randomElement(using: &generator) ?? "",
                timestamp: .random(in: 0...(.max), using: &generator),
                sensor: maybe(texts.randomElement(using: &generator) ?? ""),
                reason: maybe(texts.randomElement(using: &generator) ?? ""))
            let message = EncodedMessage(reply: state, continues: number % 2 == 0)
            #expect(message.bytes.filter { $0 == 0 }.count == 1 && message.bytes.last == 0)
            let object = try JSONObject(json: JSONValue(parsing: Array(message.bytes.dropLast())))
            #expect(object["continues"] == (number % 2 == 0 ? true : nil))
            let parsed: JSONObject = try Self.parameters(of: message).value("state")
            #expect(parsed == state.json)
            #expect(parsed.map(\.key) == state.json.map(\.key))
        }
    }

    @Test(arguments: [(12.3456, 12.3), (-0.04, 0.0), (-89.96, -90.0), (0.05, 0.1)])
    func `the tilt is rounded to 0.1 degrees, the disturbance to 0.01 m/s²`(value: Double, sent: Double) {
        var state = Self.full
        state.tilt = value
        state.disturbance = value / 10
        #expect(state.json["tilt"]?.description == sent.description)
        #expect(state.json["disturbance"]?.description == (sent / 10).description)
    }

    @Test func `a full state has every field of the file, in its order`() throws {
        guard case .structure(let fields)? = interface.types["State"] else {
            Issue.record("State is no structure")
            return
        }
        #expect(Self.full.json.map(\.key) == fields.map(\.name))
        #expect(Self.empty.json.map(\.key) == fields.filter { !$0.type.isNullable }.map(\.name))
    }

    @Test func `the natural orientation and the rotation are sent, −1 while it is unknown`() {
        #expect(Self.full.json["natural"] == "landscapeLeft")
        #expect(Self.full.json["rotation"] == 180)
        #expect(Self.empty.json["natural"] == "portrait")
        #expect(Self.empty.json["rotation"] == -1)
        var other = Self.full
        other.orientation = .faceUp
        #expect(other.json["rotation"] == 180)
        other.orientation = .unknown
        #expect(other.json["rotation"] == -1)
        #expect(OrientationState(orientation: .faceUp, sequence: 1, instance: "i").json["rotation"] == -1)
    }

    @Test(arguments: [nil, "sideways"])
    func `a state without a natural orientation, or with an unknown one, is that of a tall panel`(
        natural: String?
    ) throws {
        var json = Self.full.json
        json["natural"] = natural.map { .string($0) }
        json["rotation"] = nil
        let state = try OrientationState(json: .object(json))
        #expect(state.natural == .portrait)
        #expect(state.lastEdge == .landscapeRight)
        #expect(state.rotation == 90)
    }

    @Test func `sensors match the file, and parse to the same sensors`() throws {
        var sensors = [
            SensorDescription(
                id: "iio:0", name: "kxcjk1013", driver: "kxcjk-1013", location: "display", isChosen: true,
                why: "it sits in the display", matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1], matrixSource: "driver",
                warnings: ["no scale"], lastVector: Acceleration(x: 0.25, y: 9.75, z: -0.5), lastError: "timed out",
                natural: .landscapeLeft, naturalSource: "eDP-1"),
            SensorDescription(
                id: "iio:1", name: "x", location: "base", isChosen: false, why: "", matrix: [0.5],
                matrixSource: ""),
        ]
        sensors[0].statements = ["attributes: 0 chip"]
        let reply = SensorDescription.reply(sensors)
        try interface.check(reply, against: #require(interface.methods["ListSensors"]?.output))
        #expect(try SensorDescription.sensors(reply: reply) == sensors)
        guard case .structure(let fields)? = interface.types["Sensor"] else {
            Issue.record("Sensor is no structure")
            return
        }
        #expect(sensors[0].json.map(\.key) == fields.map(\.name))
    }

    @Test func `ambient sensors match the file, and parse to the same sensors`() throws {
        var light = SensorDescription(
            id: "iio:device1", name: "als", isChosen: true, why: "in_illuminance_raw, every 0.8 s",
            lastError: "timed out")
        (light.kind, light.isFailing) = (.light, true)
        var proximity = SensorDescription(id: "event4", name: "gpio", why: "no access")
        proximity.kind = .proximity
        let sensors = [light, proximity]
        for (isServed, outage) in [(true, nil), (false, nil), (false, "another program owns the name")] {
            let list = AmbientSensorListMessage(sensors, isServed: isServed, outage: outage)
            try interface.check(list.reply, against: #require(interface.methods["ListAmbientSensors"]?.output))
            #expect(try AmbientSensorListMessage(reply: list.reply) == list)
        }
    }

    @Test(arguments: [
        OrientationFailure.sensorUnavailable(reason: "none was found"),
        .limitReached(limit: "connections per user", maximum: 256),
    ])
    func `an error matches the file, and parses to the same error`(failure: OrientationFailure) throws {
        let definition = try #require(interface.errors[String(Call(failure.reply.name).member)])
        try interface.check(.object(failure.reply.parameters), against: definition)
        #expect(OrientationFailure(failure.reply) == failure)
    }

    @Test func `every error of the file has a case`() {
        #expect(interface.errors.keys.sorted() == ["LimitReached", "SensorUnavailable"])
        #expect(OrientationFailure(.expectedMore) == nil)
        #expect(OrientationFailure(ErrorReply("\(OrientationInterface.name).LimitReached")) == nil)
    }

    @Test func `unknown names are treated as unknown, and unknown fields are ignored`() throws {
        var json = Self.full.json
        json["orientation"] = "leaning"
        json["lastEdge"] = "corner"
        json["newer"] = ["a": 1]
        let state = try OrientationState(json: .object(json))
        #expect(state.orientation == .unknown)
        #expect(state.lastEdge == nil)
        #expect(state.sequence == 7)
    }

    @Test(arguments: ["orientation", "locked", "sequence", "instance", "timestamp"])
    func `a missing field, or one of another type, is a mismatch with its path`(field: String) throws {
        var json = Self.full.json
        json[field] = nil
        let missing = #expect(throws: JSONMismatch.self) {
            try OrientationState(reply: ["state": .object(json)])
        }
        #expect(missing?.path == "state.\(field)")
        json[field] = []
        #expect(throws: JSONMismatch.self) { try OrientationState(json: .object(json)) }
    }
}
