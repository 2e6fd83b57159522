// SPDX-License-Identifier: Apache-2.0

import Glibc
import Sensing
import Testing

@testable import IIOSensing

@Suite struct IIOContextTests {
    @Test(arguments: [
        ("ip:board", ECONNREFUSED, "connection refused"), ("ip:nowhere", ETXTBSY, "host not found"),
        ("usb:1.2.3", ENODEV, "device not found"), ("ip:board", EPERM, "add a drop-in"),
        ("ip:board", ETIMEDOUT, "timed out"), ("ip:board", EIO, "Input/output error"),
        ("ip:board", EINVAL, "invalid reply; is the server iiod?"),
    ])
    func `a failure to connect states the cause and is retried`(uri: String, code: Int32, reason: String) {
        let failure = ContextError.failure(uri: uri, code: code)
        #expect(failure.description.hasPrefix("cannot open the IIO context '\(uri)': "))
        #expect(failure.description.contains(reason))
        #expect(failure.isWorthRetrying)
    }

    @Test func `a machine without IIO devices is distinguished from a failure to list them`() {
        #expect(
            ContextError.localFailure(code: ENOENT)
                == .noDevice("no IIO devices found on this machine (No such file or directory)"))
        #expect(
            ContextError.localFailure(code: EACCES)
                == .failed("cannot list this machine's IIO devices: Permission denied"))
    }

    @Test(arguments: [EINVAL, ENOSYS])
    func `an invalid address or an unsupported backend is not retried`(code: Int32) {
        #expect(!ContextError.failure(uri: "usb:x", code: code).isWorthRetrying)
    }
}
