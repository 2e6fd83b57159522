// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct DecimalNumberTests {
    @Test(
        arguments: [
            ("300", 300), ("300\n", 300), (" 12.5 ", 12.5), ("-0.5", -0.5), ("+3", 3), ("1e3", 1_000), ("", nil),
            ("nan", nil), ("inf", nil), ("1e999", nil), ("0x10", nil), ("7 lux", nil), ("1,5", nil), ("1 2", nil),
            ("x", nil), ("7\0", nil),
        ] as [(String, Double?)])
    func `one finite decimal number is parsed, and nothing else`(text: String, number: Double?) {
        #expect(Double(decimal: text) == number)
    }
}
