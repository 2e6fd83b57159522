// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

package enum AmbientReading: Hashable, Sendable {
    /// The light level: in lux, or in percent of the sensor's range if its unit is the vendor's.
    case light(Double, LightUnit)
    case proximity(isNear: Bool)
    /// The heading in degrees clockwise from north, magnetic or true, 0 to 360.
    case compass(Double)
    /// The mode and the lid angle of a laptop.
    case lid(LidPosture)
}

package enum LightUnit: String, Hashable, Sendable {
    case lux
    case vendor
}

extension SensorDescription {
    /// An ambient sensor; `method` is how it is read, such as `in_illuminance_raw, every 0.8 s`.
    package init(_ kind: SensorKind, id: String, name: String, method: String, rejection: String? = nil) {
        self.init(id: id, name: name)
        self.kind = kind
        self.method = method
        self.rejection = rejection
    }

    /// How the sensor is read, and its warnings.
    package var use: String { ([method].compactMap(\.self) + warnings).joined(separator: "; ") }
}

extension [SensorDescription] {
    /// Chooses the sensor of each kind: the first usable one without a recent failure, otherwise the first usable one.
    /// `recentFailures` has the reasons by id and kind.
    package func chosen(_ recentFailures: [SensorID: String]) -> [SensorDescription] {
        var sensors = self
        for kind in SensorGroup.ambient.kinds {
            let usable = indices.filter { self[$0].kind == kind && self[$0].rejection == nil }
            let chosen = usable.preferred { recentFailures[self[$0].sensorID] != nil }
            for index in indices where self[index].kind == kind {
                sensors[index].isChosen = index == chosen
                sensors[index].why = why(index, chosen: chosen, recentFailures)
            }
        }
        return sensors
    }

    private func why(_ index: Int, chosen: Int?, _ recentFailures: [SensorID: String]) -> String {
        if let rejection = self[index].rejection { return rejection }
        if index == chosen { return self[index].use }
        if let failure = recentFailures[self[index].sensorID] { return "failed: \(failure)" }
        return "\(chosen.map { self[$0].id } ?? "another sensor") is preferred"
    }
}
