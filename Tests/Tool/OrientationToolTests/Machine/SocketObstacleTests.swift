// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import OrientationTool

@Suite struct SocketObstacleTests {
    @Test func `a file is no socket, and as a folder no matter of permissions`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("", to: "file")
        #expect(SocketObstacle(at: file) == .notSocket)
        #expect(SocketObstacle(at: file + "/socket") == .absent)
        #expect(SocketObstacle(at: folder.path + "/absent/socket") == .absent)
    }
}
