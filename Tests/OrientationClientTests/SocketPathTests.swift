// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationClient

@Suite struct SocketPathTests {
    private func path(explicit: String? = nil, _ environment: [String: String] = [:]) -> SocketPath {
        SocketPath(explicit: explicit) { environment[$0] }
    }

    @Test func `the path that was given counts, then the environment's`() {
        let environment = ["ORIENTATIOND_SOCKET": "/e", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(path(explicit: "/x", environment).candidates == ["/x"])
        #expect(path(environment).candidates == ["/e"])
    }

    @Test func `without them the system's socket is taken if it is there, else the user's`() {
        let path = path(["ORIENTATIOND_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/1"])
        #expect(path.choose { _ in true } == "/run/orientationd/orientationd.sock")
        #expect(path.choose { $0 == "/run/user/1/orientationd.sock" } == "/run/user/1/orientationd.sock")
        #expect(path.choose { _ in false } == "/run/orientationd/orientationd.sock")
        #expect(self.path().candidates == ["/run/orientationd/orientationd.sock"])
    }
}
