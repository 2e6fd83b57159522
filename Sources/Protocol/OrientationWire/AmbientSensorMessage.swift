// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
package import Varlink

/// The reply of `ListAmbientSensors`.
package struct AmbientSensorListMessage: Hashable, Sendable {
    package let sensors: [SensorDescription]
    /// Whether the daemon serves the sensors to desktops; otherwise only the hinge is used.
    package let isServed: Bool
    /// Why a daemon with `--dbus` serves no desktop.
    package let outage: String?

    package init(_ sensors: [SensorDescription], isServed: Bool, outage: String? = nil) {
        self.sensors = sensors
        self.isServed = isServed
        self.outage = outage
    }

    package var reply: JSONObject {
        var reply: JSONObject = [
            "sensors": .array(sensors.map { .object($0.ambientJSON) }), "served": .bool(isServed),
        ]
        reply["outage"] = outage.map { .string($0) }
        return reply
    }

    /// Parses the reply, without sensors of an unknown kind, which a later daemon may have.
    ///
    /// - Throws: ``JSONMismatch`` with the path of the field.
    package init(reply: JSONObject) throws(JSONMismatch) {
        var sensors: [SensorDescription] = []
        for json in try reply.value("sensors", as: [JSONObject].self) {
            if let sensor = try SensorDescription(ambient: json) { sensors.append(sensor) }
        }
        self.init(sensors, isServed: try reply.value("served"), outage: try reply.optionalValue("outage"))
    }
}

extension SensorDescription {
    /// The ambient sensor as JSON; nil properties are absent.
    fileprivate var ambientJSON: JSONObject {
        var json: JSONObject = [
            "id": .string(id), "name": .string(name), "kind": .string(kind.rawValue), "chosen": .bool(isChosen),
            "why": .string(why), "failing": .bool(isFailing),
        ]
        json["lastError"] = lastError.map { .string($0) }
        return json
    }

    fileprivate init?(ambient json: JSONObject) throws(JSONMismatch) {
        guard let kind = SensorKind(rawValue: try json.value("kind")) else { return nil }
        self.init(
            id: try json.value("id"), name: try json.value("name"), isChosen: try json.value("chosen"),
            why: try json.value("why"), lastError: try json.optionalValue("lastError"))
        self.kind = kind
        isFailing = try json.value("failing")
    }
}
