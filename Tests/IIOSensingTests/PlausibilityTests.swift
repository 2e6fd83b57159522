// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Testing

@testable import IIOSensing

@Suite struct PlausibilityTests {
    private var plausibility = Plausibility()

    /// Feels one magnitude for so many seconds at 5 Hz; the fault's text, or nil where there was none.
    private mutating func fault(
        reading magnitude: Double, from start: Double = 0, seconds: Double, isTrusted: Bool = true
    ) -> String? {
        for step in 0...Int(seconds * 5) {
            do throws(SensorFailure) {
                let time = start + Double(step) / 5
                let reading = Sample(time: time, acceleration: Acceleration(x: 0, y: magnitude, z: 0))
                let answer = try plausibility.judge(reading, at: time)
                let isAbsurd = !(magnitude <= Plausibility.largestMagnitude)
                #expect(answer == (isAbsurd ? nil : isTrusted ? .sample(reading) : .doubtful(reading)))
            } catch {
                return error.description
            }
        }
        return nil
    }

    @Test(arguments: [6.0, 9.8, 13.7])
    mutating func `what may be gravity by a poor chip is never a fault`(magnitude: Double) {
        #expect(fault(reading: magnitude, seconds: 3_600) == nil)
    }

    @Test(arguments: [0, 4.9, 19.6, 79])
    mutating func `what nobody feels for four seconds is a fault then, and is handed on until then`(magnitude: Double) {
        #expect(fault(reading: 9.8, from: -1, seconds: 0) == nil)
        #expect(fault(reading: magnitude, seconds: 3.8) == nil)
        #expect(
            fault(reading: magnitude, from: 4, seconds: 0)?.contains("reads \(Int(magnitude.rounded())) m/s²") == true)
    }

    @Test(arguments: [0, 4.9, 19.6, 79])
    mutating func `a sensor that has never felt gravity is not believed`(magnitude: Double) {
        #expect(fault(reading: magnitude, seconds: 3.8, isTrusted: false) == nil)
        #expect(fault(reading: 9.8, from: 4, seconds: 0) == nil)
        #expect(fault(reading: magnitude, from: 4, seconds: 0) == nil)
    }

    @Test(arguments: [81, 1e300, .infinity, .nan])
    mutating func `what no chip measures is passed over, and a fault after a second`(magnitude: Double) {
        #expect(fault(reading: magnitude, seconds: 0.8) == nil)
        #expect(fault(reading: magnitude, from: 1, seconds: 0)?.contains("scale or its mount matrix") == true)
    }

    @Test(arguments: [19.6, 81])
    mutating func `one before the machine slept and one after it are not all the time`(magnitude: Double) {
        #expect(fault(reading: 9.8, from: -1, seconds: 0) == nil)
        for start in [0.0, 3_600, 7_200] { #expect(fault(reading: magnitude, from: start, seconds: 0.4) == nil) }
    }

    @Test mutating func `one reading of gravity is enough to begin anew`() {
        #expect(fault(reading: 9.8, from: -1, seconds: 0) == nil)
        for start in stride(from: 0.0, to: 60, by: 4) {
            #expect(fault(reading: 19.6, from: start, seconds: 3.6) == nil)
            #expect(fault(reading: 9.8, from: start + 3.8, seconds: 0) == nil)
        }
    }
}
