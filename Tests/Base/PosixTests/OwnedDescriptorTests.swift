// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import TestSupport
import Testing

@Suite struct OwnedDescriptorTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

    @Test func `the descriptor is closed on exec and with its owner, and a released one stays open`() throws {
        // Ends of a pipe, on which no other test waits: a number may be used again at once.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        func use(_ owned: consuming OwnedDescriptor) -> Int32 { owned.number }
        let used = use(try OwnedDescriptor(ends[1]))
        #expect(used == ends[1])
        var byte: UInt8 = 0
        // The end of file: the other end is closed.
        #expect(read(ends[0], &byte, 1) == 0)
        let number = try OwnedDescriptor(ends[0]).release()
        #expect(number == ends[0] && isOpen(number))
        close(number)
        let file = try OwnedDescriptor(opening: "/dev/null", O_RDONLY)
        let flags = fcntl(file.number, F_GETFD)
        #expect(flags == FD_CLOEXEC)
    }

    @Test func `a failed call is reported with its errno`() {
        #expect(throws: Errno(ENOENT)) { _ = try OwnedDescriptor(opening: folder.path("absent"), O_RDONLY) }
        #expect(throws: Errno(ENOTDIR)) { _ = try OwnedDescriptor(opening: "/dev/null/file", O_RDONLY) }
        #expect(throws: Errno(ENOSPC)) { try OwnedDescriptor(opening: "/dev/full", O_WRONLY).write([1]) }
        #expect(throws: Errno(EBADF)) { _ = try OwnedDescriptor(opening: "/dev/null", O_WRONLY).read(atMost: 1) }
    }

    @Test func `a write of which a part is accepted fails, as on a full disk`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        defer { close(ends[0]) }
        let writing = ends[1]
        #expect(throws: Errno(EAGAIN)) { try OwnedDescriptor(writing).write([UInt8](repeating: 0, count: 1 << 20)) }
    }

    @Test func `all bytes are written, and read up to the limit`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try OwnedDescriptor(opening: folder.path("file"), O_WRONLY | O_CREAT, mode: 0o600).write(bytes)
        for limit in [0, 1, 99_999, 100_000, 200_000] {
            let read = try OwnedDescriptor(opening: folder.path("file"), O_RDONLY).read(atMost: limit)
            #expect(read == Array(bytes.prefix(limit)))
        }
    }
}
