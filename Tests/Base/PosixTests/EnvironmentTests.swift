// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Posix

@Suite struct EnvironmentTests {
    @Test func `an empty variable is unset`() async {
        await #expect(processExitsWith: .success) {
            setenv("EMPTY", "", 1)
            setenv("FULL", "a=b", 1)
            #expect(Environment["EMPTY"] == nil && Environment.values["EMPTY"] == nil)
            #expect(Environment["FULL"] == "a=b" && Environment.values["FULL"] == "a=b")
        }
    }
}
