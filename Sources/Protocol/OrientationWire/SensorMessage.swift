// SPDX-License-Identifier: Apache-2.0

public import OrientationModel
public import Varlink

extension SensorDescription {
    /// The description as JSON; nil properties are absent.
    package var json: JSONObject {
        var json: JSONObject = ["id": .string(id), "name": .string(name)]
        json["driver"] = driver.map { .string($0) }
        json["location"] = .string(location)
        json["chosen"] = .bool(isChosen)
        json["why"] = .string(why)
        json["matrix"] = .array(matrix.map { .real($0) })
        json["matrixSource"] = .string(matrixSource)
        json["warnings"] = .array(warnings.map { .string($0) })
        json["lastVector"] = lastVector.map { vector in
            .array([vector.x, vector.y, vector.z].map { .real(($0 * 100).rounded() / 100) })
        }
        json["lastError"] = lastError.map { .string($0) }
        json["natural"] = natural.map { .string($0.description) }
        json["naturalSource"] = naturalSource.map { .string($0) }
        if !statements.isEmpty { json["statements"] = .array(statements.map { .string($0) }) }
        return json
    }

    /// The reply of `ListSensors`.
    package static func reply(_ sensors: [SensorDescription]) -> JSONObject {
        ["sensors": .array(sensors.map { .object($0.json) })]
    }

    /// Parses the reply of `ListSensors`.
    ///
    /// - Throws: ``JSONMismatch`` with the path of the field.
    package static func sensors(reply: JSONObject) throws(JSONMismatch) -> [SensorDescription] {
        try reply.value("sensors")
    }
}

extension SensorDescription: JSONReadable {
    /// Parses the JSON; unknown fields are ignored.
    public init(json: JSONValue) throws(JSONMismatch) {
        let json = try JSONObject(json: json)
        let vector: [Double]? = try json.optionalValue("lastVector")
        self.init(
            id: try json.value("id"), name: try json.value("name"), driver: try json.optionalValue("driver"),
            location: try json.value("location"), isChosen: try json.value("chosen"),
            why: try json.value("why"), matrix: try json.value("matrix"),
            matrixSource: try json.value("matrixSource"), warnings: try json.value("warnings"),
            // A later daemon may send another number of components.
            lastVector: vector.flatMap { $0.count == 3 ? Acceleration(x: $0[0], y: $0[1], z: $0[2]) : nil },
            lastError: try json.optionalValue("lastError"), natural: try json.edge("natural"),
            naturalSource: try json.optionalValue("naturalSource"))
        statements = try json.optionalValue("statements") ?? []
    }
}
