// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// A sensor in the reply of `ListAmbientSensors`.
package struct AmbientSensorMessage: Hashable, Sendable {
    package let id: String
    package let name: String
    /// `light`, `proximity`, `compass` or `hinge`; a later daemon may have others.
    package let kind: String
    package let isChosen: Bool
    package let why: String
    package let lastError: String?
    /// Whether it has failed and delivered no reading since.
    package let isFailing: Bool

    package init(
        id: String, name: String, kind: String, isChosen: Bool, why: String, lastError: String?, isFailing: Bool
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.isChosen = isChosen
        self.why = why
        self.lastError = lastError
        self.isFailing = isFailing
    }

    /// The message as JSON; nil properties are absent.
    package var json: JSONObject {
        var json: JSONObject = [
            "id": .string(id), "name": .string(name), "kind": .string(kind), "chosen": .bool(isChosen),
            "why": .string(why), "failing": .bool(isFailing),
        ]
        json["lastError"] = lastError.map { .string($0) }
        return json
    }
}

/// The reply of `ListAmbientSensors`.
package struct AmbientSensorListMessage: Hashable, Sendable {
    package let sensors: [AmbientSensorMessage]
    /// Whether the daemon serves the sensors to desktops; otherwise only the hinge is used.
    package let isServed: Bool
    /// Why a daemon with `--dbus` serves no desktop.
    package let outage: String?

    package init(_ sensors: [AmbientSensorMessage], isServed: Bool, outage: String? = nil) {
        self.sensors = sensors
        self.isServed = isServed
        self.outage = outage
    }

    /// The reply.
    package var reply: JSONObject {
        var reply: JSONObject = ["sensors": .array(sensors.map { .object($0.json) }), "served": .bool(isServed)]
        reply["outage"] = outage.map { .string($0) }
        return reply
    }

    /// Parses the reply.
    ///
    /// - Throws: ``JSONMismatch`` with the path of the field.
    package init(reply: JSONObject) throws(JSONMismatch) {
        self.init(
            try reply.value("sensors"), isServed: try reply.value("served"), outage: try reply.optionalValue("outage"))
    }
}

extension AmbientSensorMessage: JSONReadable {
    /// Parses the JSON; unknown fields are ignored.
    package init(json: JSONValue) throws(JSONMismatch) {
        let json = try JSONObject(json: json)
        self.init(
            id: try json.value("id"), name: try json.value("name"), kind: try json.value("kind"),
            isChosen: try json.value("chosen"), why: try json.value("why"),
            lastError: try json.optionalValue("lastError"), isFailing: try json.value("failing"))
    }
}
