// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationClientCore

@Suite struct SocketPathTests {
    private func path(explicit: String? = nil, _ environment: [String: String] = [:]) -> SocketPath {
        SocketPath(explicit: explicit) { environment[$0] }
    }

    @Test func `an explicit path precedes the environment`() {
        let environment = ["ORIENTATIOND_SOCKET": "/e", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(path(explicit: "/x", environment).candidates == ["/x"])
        #expect(path(environment).candidates == ["/e"])
    }

    @Test func `the default is the system's socket if it exists, then the user's`() {
        let path = path(["XDG_RUNTIME_DIR": "/run/user/1"])
        #expect(path.choose { _ in true } == "/run/orientationd/orientationd.sock")
        #expect(path.choose { $0 == "/run/user/1/orientationd.sock" } == "/run/user/1/orientationd.sock")
        #expect(path.choose { _ in false } == "/run/orientationd/orientationd.sock")
        #expect(self.path().candidates == ["/run/orientationd/orientationd.sock"])
    }

    @Test func `the system's socket is trusted from root and the owner of its folder`() {
        let path = path()
        let trusts = { path.trusts($0, at: SocketPath.system, ownUser: 1_000, folderOwner: $1) }
        #expect(trusts(0, 0) && trusts(0, 900) && trusts(900, 900))
        #expect(!trusts(900, 0) && !trusts(1_000, 0) && !trusts(1_001, nil))
        // In a user namespace that does not map root both have the overflow id.
        #expect(trusts(65_534, 65_534))
    }

    @Test func `a user's socket is trusted from that user and root`() {
        let path = path(["XDG_RUNTIME_DIR": "/run/user/1"])
        let trusts = { path.trusts($0, at: "/run/user/1/orientationd.sock", ownUser: $1, folderOwner: 1) }
        #expect(trusts(1, 1) && trusts(0, 1) && trusts(0, 0))
        #expect(!trusts(1, 0) && !trusts(2, 1) && !trusts(65_534, 65_534))
    }

    @Test func `the session agent is trusted from that user and root, whatever the environment names`() {
        let path = SocketPath(agentIn: "/run/user/1")
        #expect(path.candidates == ["/run/user/1/orientation-autorotate/socket"])
        let trusts = { path.trusts($0, at: path.candidates[0], ownUser: $1, folderOwner: 2) }
        #expect(trusts(1, 1) && trusts(0, 1) && trusts(0, 0))
        #expect(!trusts(1, 0) && !trusts(2, 1) && !trusts(65_534, 65_534))
    }

    @Test func `an explicit path is trusted from any user`() {
        #expect(path(explicit: "/x").trusts(2, at: "/x", ownUser: 1, folderOwner: 0))
        #expect(path(explicit: SocketPath.system).trusts(2, at: SocketPath.system, ownUser: 1, folderOwner: 0))
        #expect(path(["ORIENTATIOND_SOCKET": "/e"]).trusts(2, at: "/e", ownUser: 1, folderOwner: 0))
    }
}
