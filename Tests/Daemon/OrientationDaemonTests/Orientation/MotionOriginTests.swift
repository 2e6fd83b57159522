// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon
@testable import Sensors

@Suite struct MotionOriginTests {
    private let origin = MotionOrigin(
        sensor: SensorDescription(id: "iio:0", name: "chip"),
        conversion: Conversion(scale: [1, 1, 1], offset: [0, 0, 0], sense: "HID", rate: 25))

    private func changed(
        _ conversion: (inout Conversion) -> Void = { _ in }, sensor: (inout SensorDescription) -> Void = { _ in }
    ) -> MotionOrigin {
        var newConversion = origin.conversion
        var newSensor = origin.sensor
        conversion(&newConversion)
        sensor(&newSensor)
        return MotionOrigin(sensor: newSensor, conversion: newConversion)
    }

    @Test func `an origin with a different rate or reason is comparable`() {
        #expect(changed({ $0.rate = 100 }).means(sameAs: origin))
        #expect(changed(sensor: { $0.why = "the only one" }).means(sameAs: origin))
    }

    @Test func `an origin with a different conversion is not comparable`() {
        #expect(!changed({ $0.scale = [1, 1, 2] }).means(sameAs: origin))
        #expect(!changed({ $0.offset = nil }).means(sameAs: origin))
        #expect(!changed({ $0.sense = "specific force" }).means(sameAs: origin))
        #expect(!changed(sensor: { $0.matrix = [0, 1, 0, 1, 0, 0, 0, 0, 1] }).means(sameAs: origin))
        #expect(!changed(sensor: { $0.matrixSource = "udev" }).means(sameAs: origin))
        #expect(!changed(sensor: { $0.id = "iio:1" }).means(sameAs: origin))
    }
}
