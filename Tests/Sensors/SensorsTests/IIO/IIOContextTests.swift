// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Sensors

@Suite struct IIOContextTests {
    @Test func `a machine without IIO devices is distinguished from a failure to list them`() {
        #expect(
            IIOContext.failure(code: ENOENT)
                == .noDevice("no IIO devices found on this machine (No such file or directory)"))
        #expect(
            IIOContext.failure(code: EACCES)
                == .failed("cannot list this machine's IIO devices: Permission denied"))
    }
}
