// SPDX-License-Identifier: Apache-2.0

import Glibc
import Sensing
import Testing

@testable import IIOSensing

@Suite struct ContextErrorTests {
    @Test(arguments: [
        ("ip:board", ECONNREFUSED, "nobody listens there"), ("ip:nowhere", ETXTBSY, "no such host was found"),
        ("usb:1.2.3", ENODEV, "there is no such device"), ("ip:board", EPERM, "needs a drop-in"),
        ("ip:board", ETIMEDOUT, "it does not answer"), ("ip:board", EIO, "Input/output error"),
        ("ip:board", EINVAL, "what answers there is not understood; is it iiod?"),
    ])
    func `the reason is one for people, and worth another try`(uri: String, code: Int32, reason: String) {
        let failure = ContextError.failure(uri: uri, code: code)
        #expect(failure.description.hasPrefix("cannot reach the IIO context '\(uri)': "))
        #expect(failure.description.contains(reason))
        #expect(failure.isWorthRetrying)
    }

    @Test func `that this machine has no devices is told from what keeps them from being looked at`() {
        #expect(
            ContextError.localFailure(code: ENOENT)
                == .noDevice("this machine has no industrial-I/O devices (No such file or directory)"))
        #expect(
            ContextError.localFailure(code: EACCES)
                == .failed("cannot look at this machine's industrial-I/O devices: Permission denied"))
    }

    @Test(arguments: [EINVAL, ENOSYS])
    func `what can never work is given up`(code: Int32) {
        #expect(!ContextError.failure(uri: "usb:x", code: code).isWorthRetrying)
    }
}
