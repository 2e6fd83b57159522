// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing
import Varlink

/// The folder of a socket: other users that can write to it could replace the socket.
@Suite struct SocketFolderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [0o777, 0o775, 0o772] as [mode_t])
    func `a folder that other users can write to is an error that states the remedy`(mode: mode_t) throws {
        let folder = directory.path("open")
        mkdir(folder, 0o700)
        chmod(folder, mode)
        let error = #expect(throws: SocketError.folderWritable(folder: folder)) {
            _ = try ListeningSocket.bind(to: folder + "/s", mode: 0o600)
        }
        #expect(error?.description.contains("chmod go-w") == true)
        var status = stat()
        #expect(lstat(folder + "/s", &status) != 0 && lstat(folder + "/s.lock", &status) != 0)
    }

    @Test func `a missing folder is an error that names it`() {
        let folder = directory.path("missing")
        #expect(throws: SocketError.failed(operation: "open the folder of \(folder)/s", errno: ENOENT)) {
            _ = try ListeningSocket.bind(to: folder + "/s", mode: 0o600)
        }
    }

    @Test func `a folder with the sticky bit is accepted`() throws {
        let folder = directory.path("sticky")
        mkdir(folder, 0o700)
        chmod(folder, 0o1777)
        #expect(throws: Never.self) { _ = try ListeningSocket.bind(to: folder + "/s", mode: 0o600) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `a folder of another user is an error`() throws {
        let folder = directory.path("foreign")
        mkdir(folder, 0o700)
        chown(folder, 1_000, 1_000)
        #expect(throws: SocketError.folderWritable(folder: folder)) {
            _ = try ListeningSocket.bind(to: folder + "/s", mode: 0o600)
        }
    }
}
