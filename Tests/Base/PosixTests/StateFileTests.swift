// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import TestSupport
import Testing

@Suite struct StateFileTests {
    private let folder: TemporaryDirectory
    private let file: StateFile

    init() throws {
        folder = try TemporaryDirectory()
        file = StateFile(path: folder.path("state"), longest: 10)
    }

    @Test func `a text is read again, one that is too long is empty`() throws {
        #expect(throws: Errno(ENOENT)) { try file.read() }
        try file.replace(with: "text", isDurable: false)
        #expect(try file.read() == "text")
        try file.replace(with: "0123456789x")
        #expect(try file.read().isEmpty)
        file.remove()
        #expect(throws: Errno(ENOENT)) { try file.read() }
    }

    @Test func `a FIFO and a folder are not read`() throws {
        #expect(mkfifo(folder.path("state"), 0o600) == 0)
        #expect(throws: Errno.notRegular) { try file.read() }
        #expect(unlink(folder.path("state")) == 0 && mkdir(folder.path("state"), 0o700) == 0)
        #expect(throws: Errno(EISDIR)) { try file.read() }
    }

    @Test func `a symbolic link is not followed`() throws {
        #expect(symlink("/proc/self/comm", folder.path("state")) == 0)
        #expect(throws: Errno(ELOOP)) { try file.read() }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to change the owner of a file"))
    func `a file of another user is not read`() throws {
        try file.replace(with: "text")
        #expect(chown(folder.path("state"), 65_534, 65_534) == 0)
        #expect(throws: Errno(EPERM)) { try file.read() }
    }

    @Test func `the current boot has an id without hyphens`() {
        #expect(BootID.current()?.isEmpty == false)
        #expect(BootID.current()?.contains("-") == false)
    }
}
