// SPDX-License-Identifier: Apache-2.0

import Sensors
import Testing

@testable import OrientationDaemon

@Suite struct FailureLogTests {
    @Test func `each failure is logged once until the sensor has worked, even if two alternate`() {
        var log = FailureLog()
        var isLogged = [log.note(.failed("broken"), at: 1), log.note(.failed("broken"), at: 2)]
        isLogged += [log.note(.failed("gone"), at: 3), log.note(.failed("broken"), at: 4)]
        log.recovered()
        isLogged.append(log.note(.failed("gone"), at: 5))
        #expect(isLogged == [true, false, true, false, true])
        #expect(log.notes.map(\.timestamp) == [1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000])
    }

    @Test func `only the last failures are kept`() {
        var log = FailureLog()
        for number in 0..<1_000 { _ = log.note(.failed("\(number)"), at: 0) }
        #expect(log.notes.count == FailureLog.capacity)
        #expect(log.notes.last?.reason == "999")
    }
}
