// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing
import Varlink

@testable import OrientationTool

@Suite struct SocketObstacleTests {
    @Test func `a file is no socket, and as a folder no matter of permissions`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("", to: "file")
        #expect(SocketObstacle(at: file) == .notSocket)
        #expect(SocketObstacle(at: file + "/socket") == .absent)
        #expect(SocketObstacle(at: folder.path("socket")) == .absent)
        #expect(SocketObstacle(at: folder.path("a/b/socket")) == .noFolder(folder.path("a/b")))
    }

    @Test func `a socket is refused if no process listens`() throws {
        let folder = try TemporaryDirectory()
        let (path, link) = (folder.path("socket"), folder.path("link"))
        do {
            let socket = try ListeningSocket.bind(to: path, mode: 0o666)
            #expect(SocketObstacle(at: path) == nil)
            // The file of a process that was killed.
            try #require(Glibc.link(path, link) == 0)
            withExtendedLifetime(socket) {}
        }
        #expect(SocketObstacle(at: link) == .refused)
    }
}
