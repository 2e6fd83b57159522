// SPDX-License-Identifier: Apache-2.0

/// A kind of ambient sensor.
package enum AmbientKind: String, CaseIterable, Sendable {
    /// Ambient light.
    case light
    /// Whether an object, such as a cheek, is close to the screen.
    case proximity
    /// The heading of the device.
    case compass
}

/// A reading.
package enum AmbientReading: Hashable, Sendable {
    /// The light level: in lux, or in percent of the sensor's range if its unit is the vendor's.
    case light(Double, LightUnit)
    case proximity(isNear: Bool)
    /// The heading in degrees clockwise from north, magnetic or true, 0 to 360.
    case compass(Double)
}

/// The unit of a light level.
package enum LightUnit: String, Hashable, Sendable {
    case lux
    case vendor
}

/// An ambient sensor, for messages and for the choice.
package struct AmbientDescription: Hashable, Sendable {
    /// The kernel's name, such as `iio:device1`.
    package var id: String
    /// The name that the driver gives to the device.
    package var name: String
    package var kind: AmbientKind
    /// How the sensor is read, such as `in_illuminance_raw, every 0.8 s`.
    package var reading: String
    /// Invalid attributes of the device, with the values that are used instead.
    package var warnings: [String] = []
    /// Why the sensor cannot be used; nil if it can.
    package var rejection: String?
    /// Whether it is the sensor that is used.
    package var isChosen = false
    /// Why it was or was not chosen.
    package var why = ""
    /// The last failure, even if the sensor has recovered; nil without one.
    package var lastError: String?
    /// Whether it has failed and delivered no reading since.
    package var isFailing = false

    package init(id: String, name: String, kind: AmbientKind, reading: String, rejection: String? = nil) {
        self.id = id
        self.name = name
        self.kind = kind
        self.reading = reading
        self.rejection = rejection
    }

    /// How the sensor is read, and its warnings.
    package var use: String { ([reading] + warnings).joined(separator: "; ") }
}

extension [AmbientDescription] {
    /// Chooses the sensor of each kind: the first usable one without a recent failure, otherwise the first usable one.
    /// `recentFailures` has the reasons by id and kind.
    package func chosen(_ recentFailures: [AmbientSensorID: String]) -> [AmbientDescription] {
        var sensors = self
        for kind in AmbientKind.allCases {
            let usable = indices.filter { self[$0].kind == kind && self[$0].rejection == nil }
            let chosen = usable.first { recentFailures[self[$0].sensorID] == nil } ?? usable.first
            for index in indices where self[index].kind == kind {
                sensors[index].isChosen = index == chosen
                sensors[index].why = why(index, chosen: chosen, recentFailures)
            }
        }
        return sensors
    }

    private func why(_ index: Int, chosen: Int?, _ recentFailures: [AmbientSensorID: String]) -> String {
        if let rejection = self[index].rejection { return rejection }
        if index == chosen { return self[index].use }
        if let failure = recentFailures[self[index].sensorID] { return "failed: \(failure)" }
        return "\(chosen.map { self[$0].id } ?? "another sensor") is preferred"
    }
}

/// Identifies one sensor of a device.
package struct AmbientSensorID: Hashable, Sendable {
    package let kind: AmbientKind
    package let id: String

    package init(kind: AmbientKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

extension AmbientDescription {
    package var sensorID: AmbientSensorID { AmbientSensorID(kind: kind, id: id) }
}
