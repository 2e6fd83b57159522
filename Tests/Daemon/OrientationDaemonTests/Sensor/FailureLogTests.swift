// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing

@testable import OrientationDaemon

@Suite struct FailureLogTests {
    @Test func `a sensor that fails after every few readings is logged once a minute in the end`() {
        var log = SensorLog(.accelerometer)
        let count = (0..<3_600).reduce(0) { count, second in
            _ = log.read()
            return count + log.failed(.failed("broken"), at: Double(second)).count
        }
        #expect((60...70).contains(count))
    }

    @Test func `only the last failures are kept, with their times`() {
        var log = FailureLog()
        for number in 0..<1_000 { log.note(.failed("\(number)"), of: nil, at: Double(number)) }
        #expect(log.notes.count == FailureLog.capacity)
        #expect(log.notes.last?.reason == "999" && log.notes.last?.timestamp == 999_000_000)
    }
}
