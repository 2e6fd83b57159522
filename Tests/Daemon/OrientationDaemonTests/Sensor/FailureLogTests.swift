// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing

@testable import OrientationDaemon

@Suite struct FailureLogTests {
    @Test(arguments: SensorKind.allCases)
    func `each failure is logged once until the sensor has worked, even if two alternate`(kind: SensorKind) {
        var log = SensorLog(kind)
        var logged = ["broken", "broken", "gone", "broken"].map { log.failed(.failed($0)).count }
        _ = log.read()
        logged.append(log.failed(.failed("gone")).count)
        #expect(logged == [1, 0, 1, 0, 1])
    }

    @Test func `only the last failures are kept, with their times`() {
        var log = FailureLog()
        for number in 0..<1_000 { log.note(.failed("\(number)"), of: nil, at: Double(number)) }
        #expect(log.notes.count == FailureLog.capacity)
        #expect(log.notes.last?.reason == "999" && log.notes.last?.timestamp == 999_000_000)
    }
}
