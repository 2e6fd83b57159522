// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct MotionEventTests {
    private func event(_ driver: String?, scale: Double = 0.01, lacking: Set<String> = []) -> MotionEvent? {
        MotionEvent(driver: driver, scale: scale) { !lacking.contains($0) }
    }

    @Test func `each family has drivers, switches and thresholds`() {
        for family in MotionEvent.families {
            #expect(!family.drivers.isEmpty && !family.enable.isEmpty && !family.thresholds.isEmpty)
            #expect(family.enable.allSatisfy { $0.hasSuffix("_en") })
        }
    }

    @Test func `a driver is in one family`() {
        let drivers = MotionEvent.families.flatMap(\.drivers)
        #expect(Set(drivers).count == drivers.count)
    }

    @Test func `a chip without one of the attributes, and an unknown driver, have no event`() {
        for family in MotionEvent.families {
            for driver in family.drivers {
                #expect(event(driver) != nil)
                for name in family.enable + family.thresholds.map(\.name) {
                    #expect(event(driver, lacking: [name]) == nil)
                }
            }
        }
        #expect(event("mma8452", lacking: ["in_accel_mag_rising_high_pass_filter_3db"]) == nil)
        #expect(event("hid_sensor_accel_3d") == nil)
        #expect(event(nil) == nil)
        #expect(event("kxcjk1013", scale: 0) == nil)
    }

    @Test func `thresholds in raw units follow the scale`() {
        #expect(event("adxl367_i2c", scale: 0.0024)?.thresholds.first?.value == "417")
        #expect(event("adxl367_i2c", scale: -0.0024)?.thresholds.first?.value == "417")
        #expect(event("st_lsm6dsx_i2c", scale: 0.000598)?.thresholds.first?.value == "2")
        #expect(event("st_lsm6dsx_i2c", scale: 0.00479)?.thresholds.first?.value == "1")
        #expect(
            event("fxls8962af_i2c", scale: 0.0096)?.thresholds.map(\.value) == ["63", "-63", "63", "-63", "63", "-63"])
        #expect(event("adxl367_i2c", scale: 1e-300)?.thresholds.first?.value == "65535")
    }

    @Test func `thresholds are written before the event is enabled, unless enabling overwrites them`() {
        #expect(event("kxcjk1013")?.settings.map(\.value) == ["1", "1"])
        #expect(event("kxcjk1013")?.settings.last?.name == "in_accel_x_thresh_either_en")
        #expect(event("bma400")?.settings.map(\.name).first == "in_accel_mag_rising_en")
        #expect(event("bmi323")?.settings.last?.value == "0.1")
        #expect(event("kxcjk1013")?.name == "in_accel_x_thresh_either")
    }
}
