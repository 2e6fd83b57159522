// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing
internal import Varlink

/// What somebody needs to know of the sensor to make sense of its samples.
nonisolated struct MotionOrigin {
    let sensor: SensorDescription
    let arithmetic: SensorArithmetic

    /// Whether samples of both belong together: how often the chip measures changes none of them.
    func means(sameAs other: MotionOrigin) -> Bool {
        sensor.id == other.sensor.id && sensor.name == other.sensor.name && sensor.driver == other.sensor.driver
            && sensor.matrix == other.sensor.matrix && sensor.matrixSource == other.sensor.matrixSource
            && arithmetic.scale == other.arithmetic.scale && arithmetic.offset == other.arithmetic.offset
            && arithmetic.sense == other.arithmetic.sense && arithmetic.classifier == other.arithmetic.classifier
    }

    var json: JSONObject {
        let numbers = { (values: [Double]) in JSONValue.array(values.map { .real($0) }) }
        var json: JSONObject = ["device": .string(sensor.name)]
        json["driver"] = sensor.driver.map { .string($0) }
        json["scale"] = arithmetic.scale.map(numbers)
        json["offset"] = arithmetic.offset.map(numbers)
        json["matrix"] = numbers(sensor.matrix)
        json["matrixSource"] = .string(sensor.matrixSource)
        json["sense"] = arithmetic.sense.map { .string($0) }
        json["rate"] = arithmetic.rate.map { .real($0) }
        json["classifier"] = arithmetic.classifier.map { .string($0.description) }
        return json
    }
}

extension MotionSample {
    nonisolated var json: JSONObject {
        var json: JSONObject = [
            "timestamp": .integer(timestamp), "x": .real(acceleration.x), "y": .real(acceleration.y),
            "z": .real(acceleration.z),
        ]
        json["raw"] = raw.map { .array($0.map { .real($0) }) }
        return json
    }
}
