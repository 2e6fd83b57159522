// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Posix

@Suite struct SysfsFileTests {
    /// Reads the number of a file with this content.
    private func number(_ content: String) throws -> Double {
        let directory = try TemporaryDirectory()
        return try SysfsFile(path: directory.write(content, to: "attribute")).readNumber()
    }

    @Test(
        arguments: [
            ("0\n", 0), ("-0\n", 0), ("1024\n", 1_024), ("-1024\n", -1_024), ("+7\n", 7), ("007\n", 7),
            // Without a line feed, and with a NUL or a second line.
            ("12", 12), ("12\05\n", 12), ("12\n34\n", 12), ("5\n\n", 5),
            // Not integers.
            (" 12 \n", 12), ("12.5\n", 12.5), ("-.5\n", -0.5), ("1e3\n", 1_000), ("-2.5E-1\n", -0.25),
            // At and beyond the range of Int.
            ("-9223372036854775808\n", -0x1p63), ("9223372036854775808\n", 0x1p63),
            ("123456789012345678901\n", 1.2345678901234568e20), ("000000000000000000000000000000012\n", 12),
        ] as [(String, Double)])
    func `the first line is parsed as a decimal number`(content: String, expected: Double) throws {
        #expect(try number(content) == expected)
    }

    @Test(arguments: [
        "", "\n", "-\n", "+\n", "--1\n", "1-\n", "1 2\n", "0x10\n", "nan\n", "inf\n", "1e999\n", "x\n", "\01\n",
        "1,5\n",
    ])
    func `other text is invalid, and reported without the line feed`(content: String) throws {
        let text = String(content.prefix { $0 != "\n" && $0 != "\0" })
        #expect(throws: SysfsFile.NumberError.invalid(text)) { try number(content) }
    }

    @Test func `a text of 256 bytes or more is invalid`() throws {
        #expect(try number(String(repeating: "0", count: 254) + "7\n") == 7)
        #expect(throws: SysfsFile.NumberError.self) { try number(String(repeating: "0", count: 300) + "1024\n") }
        #expect(throws: SysfsFile.NumberError.invalid(String(repeating: "x", count: 256))) {
            try number(String(repeating: "x", count: 5_000))
        }
    }

    @Test func `a file that cannot be read is reported with its errno`() throws {
        // Reading it at offset 0 fails: no memory is mapped there.
        let memory = try SysfsFile(path: "/proc/self/mem")
        #expect(throws: SysfsFile.NumberError.unreadable(Errno(EIO))) { try memory.readNumber() }
    }
}
