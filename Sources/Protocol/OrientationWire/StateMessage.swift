// SPDX-License-Identifier: Apache-2.0

public import OrientationModel
public import Varlink

// A state on the wire:
//
//     {"orientation":"portrait","lastEdge":"portrait","tilt":12.5,"locked":false,"sequence":7,"instance":"…",
//      "timestamp":81726354,"sensor":"…","natural":"portrait","rotation":0}
//
// The tilt is rounded to 0.1 degrees, the disturbance to 0.01 m/s². Nil properties are absent, never null. A client
// treats an orientation that it does not know as unknown and an edge that it does not know as absent, and ignores other
// fields. An absent natural orientation is portrait. The rotation is sent for clients in other
// languages, −1 while the orientation is unknown; this one computes it from the last edge.

extension OrientationState {
    package var json: JSONObject {
        var json: JSONObject = ["orientation": .string(orientation.description)]
        json["lastEdge"] = lastEdge.map { .string($0.description) }
        json["tilt"] = tilt.map { .real($0.rounded(toPlaces: 1)) }
        json["disturbance"] = disturbance.map { .real($0.rounded(toPlaces: 2)) }
        json["locked"] = .bool(isLocked)
        json["lockedTo"] = lockedTo.map { .string($0.description) }
        json["tabletMode"] = tabletMode.map { .bool($0) }
        json["lidAngle"] = lidAngle.map { .integer(Int64($0)) }
        if isTabletSwitchOverruled { json["tabletSwitchOverruled"] = true }
        json["sequence"] = .integer(Int64(sequence))
        json["instance"] = .string(instance)
        json["timestamp"] = .integer(timestamp)
        json["sensor"] = sensor.map { .string($0) }
        json["reason"] = reason.map { .string($0) }
        json["natural"] = natural.map { .string($0.description) }
        json["rotation"] = .integer(Int64(orientation == .unknown ? -1 : rotation ?? -1))
        if hasSensorFailed { json["failed"] = true }
        return json
    }

    /// Parses the reply of `Get` or `Monitor`.
    ///
    /// - Throws: ``JSONMismatch`` with the path of the field.
    package init(reply: JSONObject) throws(JSONMismatch) {
        self = try reply.value("state")
    }
}

extension EncodedMessage {
    /// Encodes the reply of `Get` and `Monitor`.
    package init(reply state: OrientationState, continues: Bool = false) {
        self.init(reply: ["state": .object(state.json)], continues: continues)
    }
}

extension OrientationState: JSONReadable {
    /// Parses the JSON.
    public init(json: JSONValue) throws(JSONMismatch) {
        let json = try JSONObject(json: json)
        self.init(
            orientation: DeviceOrientation(try json.value("orientation")) ?? .unknown,
            lastEdge: try json.edge("lastEdge"),
            natural: try json.edge("natural") ?? .portrait,
            tilt: try json.optionalValue("tilt"),
            disturbance: try json.optionalValue("disturbance"),
            isLocked: try json.value("locked"),
            lockedTo: try json.edge("lockedTo"),
            tabletMode: try json.optionalValue("tabletMode"),
            sequence: try json.value("sequence"),
            instance: try json.value("instance"),
            timestamp: try json.value("timestamp"),
            sensor: try json.optionalValue("sensor"),
            reason: try json.optionalValue("reason"))
        lidAngle = try json.optionalValue("lidAngle")
        isTabletSwitchOverruled = try json.optionalValue("tabletSwitchOverruled") ?? false
        hasSensorFailed = try json.optionalValue("failed") ?? false
    }
}

extension Double {
    /// Rounds to the precision of accelerometers: each further digit would be sent to every subscriber.
    fileprivate func rounded(toPlaces places: Int) -> Double {
        let scale = places == 1 ? 10.0 : 100.0
        // Adding 0 turns -0 into 0.
        return (self * scale).rounded() / scale + 0
    }
}

extension JSONObject {
    /// Returns the edge of a field; nil if the field is absent or has an unknown name.
    func edge(_ key: String) throws(JSONMismatch) -> Edge? {
        let name: String? = try optionalValue(key)
        return name.flatMap { Edge($0) }
    }
}
