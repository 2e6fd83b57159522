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

    @Test func `the system's socket is served by root or the owner of its folder`() {
        let path = path()
        let serves = { path.mayServe($0, at: SocketPath.system, ownUser: 1_000, ownerOfFolder: $1) }
        #expect(serves(0, 0) && serves(0, 900) && serves(900, 900))
        #expect(!serves(900, 0) && !serves(1_000, 0) && !serves(1_001, nil))
        // In a sandbox without root's number both look like the user nobody.
        #expect(serves(65_534, 65_534))
    }

    @Test func `a user's own socket is served by that user or root`() {
        let path = path(["XDG_RUNTIME_DIR": "/run/user/1"])
        let serves = { path.mayServe($0, at: "/run/user/1/orientationd.sock", ownUser: $1, ownerOfFolder: 1) }
        #expect(serves(1, 1) && serves(0, 1) && serves(0, 0))
        #expect(!serves(1, 0) && !serves(2, 1) && !serves(65_534, 65_534))
    }

    @Test func `at a path that was named any user serves`() {
        #expect(path(explicit: "/x").mayServe(2, at: "/x", ownUser: 1, ownerOfFolder: 0))
        #expect(path(explicit: SocketPath.system).mayServe(2, at: SocketPath.system, ownUser: 1, ownerOfFolder: 0))
        #expect(path(["ORIENTATIOND_SOCKET": "/e"]).mayServe(2, at: "/e", ownUser: 1, ownerOfFolder: 0))
    }
}
