// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct SamplingFrequencyTests {
    @Test(arguments: [
        ("1 10 25 50 100", "10"), ("1.563000 3.125000 6.250000 12.500000 25.000000", "12.500000"),
        ("5 2 1", "5"), ("100 50 25", "25"), ("[1 1 100]", "10.0"), ("[20 10 100]", "20"), ("[1 1 4]", "4"),
        ("12,5 25", "25"), ("0 -5 nan 15", "15"),
    ])
    func `the lowest sufficient frequency is chosen, otherwise the highest`(available: String, choice: String) {
        #expect(SamplingFrequency.choice(from: available, atLeast: 10) == choice)
    }

    @Test(arguments: [
        ("50", nil, 10.0, "10"), ("5", nil, 10, "10"), ("50", nil, 62.5, "63"), ("50", "5 10 25 50 100", 10, "10"),
        ("50", "5 10 25 50 100", 51, "100"), ("50", "5 10 25 50 100", 200, "100"), ("50", "fast", 10, "50"),
    ])
    func `a captured chip is set to the lowest sufficient frequency`(
        former: String, available: String?, rate: Double, choice: String
    ) {
        #expect(SamplingFrequency.choice(former: former, available: available, use: .capture, rate: rate) == choice)
    }

    @Test(arguments: [
        ("50", nil, 10.0, "50"), ("5.2", nil, 10, "10"), ("0", nil, 12.5, "10"),
        ("11", nil, 12.5, "11"), ("50", "5 10 25 50 100", 10, "50"), ("5", "5 10 25", 10, "10"),
        ("50", "5 10 25 50 100", 51, "100"),
    ])
    func `a polled chip is raised if it is too slow, and otherwise left unchanged`(
        former: String, available: String?, rate: Double, choice: String
    ) {
        #expect(SamplingFrequency.choice(former: former, available: available, use: .polling, rate: rate) == choice)
    }

    @Test(arguments: ["", "fast", "[]", "[a b c]"])
    func `an invalid list of frequencies is ignored`(available: String) {
        #expect(SamplingFrequency.choice(from: available, atLeast: 10) == nil)
    }
}
