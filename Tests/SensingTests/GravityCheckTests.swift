// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensing

@Suite struct GravityCheckTests {
    private var check = GravityCheck(isKnown: true)

    /// A direction that no pose has, of this length, which trembles so that it is neither still nor frozen.
    private func vector(_ length: Double, _ step: Int) -> Acceleration {
        let tremble = step % 2 == 0 ? 0.97 : 1.0
        return Acceleration(x: 0, y: length * tremble, z: length * (1 - tremble * tremble).squareRoot())
    }

    /// Reads one length at 5 Hz for a time in seconds; returns the text of the fault, or nil.
    private mutating func fault(
        reading length: Double, from start: Double = 0, seconds: Double,
        expecting expected: (Sample) -> GravityCheck.Verdict = { .usable($0) }
    ) -> String? {
        for step in 0...Int(seconds * 5) {
            do throws(SensorFailure) {
                let time = start + Double(step) / 5
                let reading = Sample(time: time, acceleration: vector(length, step))
                let verdict = try check.check(reading, at: time).verdict
                #expect(verdict == expected(reading))
            } catch {
                return error.description
            }
        }
        return nil
    }

    @Test(arguments: [6.0, 9.8, 13.7])
    mutating func `readings that an imprecise chip has at rest are never a fault`(length: Double) {
        #expect(fault(reading: length, seconds: 3_600) == nil)
    }

    @Test(arguments: [0.001, 4.9, 19.6, 79])
    mutating func `readings that cannot be gravity for four seconds are a fault, and usable until then`(length: Double)
    {
        #expect(fault(reading: 9.8, from: -1, seconds: 0) == nil)
        #expect(fault(reading: length, seconds: 3.8) == nil)
        #expect(fault(reading: length, from: 4, seconds: 0)?.contains("m/s² instead of 9.8") == true)
    }

    @Test(arguments: [0.001, 4.9, 19.6, 79])
    mutating func `readings of a sensor that has never read gravity are unverified`(length: Double) {
        #expect(fault(reading: length, seconds: 3.8) { .unverified($0) } == nil)
        #expect(fault(reading: 9.8, from: 4, seconds: 0) == nil)
        #expect(fault(reading: length, from: 4, seconds: 0) == nil)
    }

    @Test(arguments: [4e5, 1e300, .infinity, .nan])
    mutating func `lengths that no gain corrects are ignored, and a fault after a second`(length: Double) {
        #expect(fault(reading: length, seconds: 0.8) { _ in .outOfRange } == nil)
        #expect(fault(reading: length, from: 1, seconds: 0)?.contains("its scale or mount matrix is wrong") == true)
    }

    @Test(arguments: [19.6, 4e5])
    mutating func `readings before and after a sleep of the machine are not continuous`(length: Double) {
        #expect(fault(reading: 9.8, from: -1, seconds: 0) == nil)
        for start in [0.0, 3_600, 7_200] {
            #expect(
                fault(reading: length, from: start, seconds: 0.4) { length > 80 ? .outOfRange : .usable($0) } == nil)
        }
    }

    @Test mutating func `one reading of gravity ends the implausible readings`() {
        #expect(fault(reading: 9.8, from: -1, seconds: 0) == nil)
        for start in stride(from: 0.0, to: 60, by: 4) {
            #expect(fault(reading: 19.6, from: start, seconds: 3.6) == nil)
            #expect(fault(reading: 9.8, from: start + 3.8, seconds: 0) == nil)
        }
    }

    @Test func `a recording is never at fault, and the classifier sees all of it`() throws {
        var check = GravityCheck(isHardware: false)
        for step in 0..<100 {
            let reading = Sample(time: Double(step) / 10, acceleration: vector(4e5, step))
            #expect(try check.check(reading, at: reading.time).verdict == .usable(reading))
        }
    }
}

// MARK: A wrong scale

extension GravityCheckTests {
    /// Reads a constant vector at 10 Hz; returns the verdicts, and the time at which the gain changed.
    private func verdicts(
        of reading: Acceleration, seconds: Double, _ check: inout GravityCheck
    ) throws -> (verdicts: [GravityCheck.Verdict], rescaled: Double?) {
        var verdicts: [GravityCheck.Verdict] = []
        var rescaled: Double?
        for step in 0...Int(seconds * 10) {
            let time = Double(step) / 10
            let result = try check.check(Sample(time: time, acceleration: reading), at: time)
            verdicts.append(result.verdict)
            if result.isRescaled { rescaled = time }
        }
        return (verdicts, rescaled)
    }

    @Test(arguments: [5.0, 19.6, 256, 9_000])
    func `a still sensor with a wrong scale is withheld for a second and then usable`(length: Double) throws {
        var check = GravityCheck()
        let (verdicts, rescaled) = try verdicts(of: Acceleration(x: 0, y: length, z: 0), seconds: 10, &check)
        #expect(try #require(rescaled) <= 1.01)
        #expect(verdicts.prefix(10).allSatisfy { $0 == .withheld })
        guard case .usable(let sample)? = verdicts.last else { throw SensorFailure.failed("\(verdicts)") }
        #expect(abs(sample.acceleration.magnitude - Acceleration.standardGravity) < 0.01)
    }

    @Test func `the reason is reported after 0.3 s, and only if a wrong scale can be the cause`() throws {
        var check = GravityCheck()
        _ = try verdicts(of: Acceleration(x: 0, y: 5, z: 0), seconds: 0.2, &check)
        #expect(check.measurement == nil)
        _ = try verdicts(of: Acceleration(x: 0, y: 5, z: 0), seconds: 0.4, &check)
        #expect(check.measurement?.contains("reads 5.0 m/s² instead of 9.8") == true)
        _ = try verdicts(of: Acceleration(x: 0, y: 9.8, z: 0), seconds: 2, &check)
        #expect(check.measurement == nil)
        _ = try verdicts(of: Acceleration(x: 0, y: 5, z: 0), seconds: 2, &check)
        #expect(check.measurement == nil)
    }

    @Test func `a sensor that no gain corrects is delivered to motion subscribers, and a fault`() throws {
        var check = GravityCheck()
        let frozen = Acceleration(x: 12, y: 12, z: -12)
        let first = try verdicts(of: frozen, seconds: 3.9, &check).verdicts
        #expect(first.first == .withheld)
        guard case .unverified? = first.last else { throw SensorFailure.failed("\(first)") }
        #expect(throws: SensorFailure.self) { try check.check(Sample(time: 4, acceleration: frozen), at: 4) }
    }

    @Test func `the next run uses the measured scale`() throws {
        var first = GravityCheck()
        let reading = Acceleration(x: 0, y: 5, z: 0)
        _ = try verdicts(of: reading, seconds: 2, &first)
        var second = GravityCheck(scale: first.scale, isKnown: true)
        let verdict = try second.check(Sample(time: 0, acceleration: reading), at: 0).verdict
        guard case .usable = verdict else { throw SensorFailure.failed("\(verdict)") }
    }
}
