// SPDX-License-Identifier: Apache-2.0

import CPosix
import Glibc
import Testing

@Suite("Code pages") struct CodePagesTests {
    /// The resident pages of the process that are backed by files: the third number of statm.
    private func sharedPages() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        let numbers = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
        return numbers.count > 2 ? Int(numbers[2]) : nil
    }

    @Test("released pages of code are not resident, and are mapped again")
    func release() throws {
        let before = try #require(sharedPages())
        cposix_release_code_pages()
        #expect(try #require(sharedPages()) < before)
    }
}
