// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing
import Varlink

@Suite struct SocketTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `the send buffer limits the bytes for a peer that does not read`() throws {
        let pair = try SocketPair()
        pair.one.setSendBuffer(bytes: 32 * 1024)
        let bytes = [UInt8](repeating: 7, count: 250)
        var sent = 0
        while try bytes.withUnsafeBytes({ try pair.one.send($0) }) > 0 { sent += bytes.count }
        // The kernel counts its own structures too.
        #expect((8 * 1024...64 * 1024).contains(sent))
    }

    @Test func `writing to a disconnected peer is an error, and raises no signal`() throws {
        let socket = try { () throws in
            let pair = try SocketPair()
            return try StreamSocket(adopting: dup(pair.one.descriptor))
        }()
        // A child process of another test holds a copy of the other end until it executes its program.
        #expect(throws: SocketError.peerGone) {
            _ = try eventually {
                _ = try [1 as UInt8].withUnsafeBytes { try socket.send($0) }
                return false
            }
        }
    }

    @Test func `an accepted socket has the credentials of its client`() throws {
        let listener = try ListeningSocket.bind(to: directory.path("s"), mode: 0o666)
        #expect(try listener.accept() == nil)
        let client = try StreamSocket.connect(to: directory.path("s"))
        let accepted = try listener.accept()
        guard let accepted else {
            Issue.record("no connection was accepted")
            return
        }
        let peer = try accepted.peerCredentials()
        #expect(peer.process == getpid())
        #expect(peer.user == geteuid())
        #expect(peer.group == getegid())
        var own = [gid_t](repeating: 0, count: Int(getgroups(0, nil)))
        getgroups(Int32(own.count), &own)
        for group in own + [getegid()] where !accepted.peerIsMember(of: group) { Issue.record("group \(group)") }
        if accepted.peerIsMember(of: .max) { Issue.record("a group that the client does not have") }
        #expect(client.descriptor >= 0)
    }

    @Test func `the socket file has the given mode, and is removed with the socket`() throws {
        let path = directory.path("s")
        var status = stat()
        do {
            let listener = try ListeningSocket.bind(to: path, mode: 0o660)
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o660)
            #expect(listener.descriptor >= 0)
        }
        #expect(lstat(path, &status) != 0)
    }

    @Test func `a stale socket is replaced, a socket in use and other files are not`() throws {
        let path = directory.path("s")
        // As a killed process leaves it. It never listens: a process that another test starts can keep a listening socket
        // open for a moment.
        close(boundSocket(at: path))
        #expect(throws: SocketError.notServed(path: path)) { _ = try StreamSocket.connect(to: path) }
        let listener = try ListeningSocket.bind(to: path, mode: 0o666)
        #expect(throws: SocketError.alreadyServed(path: path)) {
            _ = try ListeningSocket.bind(to: path, mode: 0o666)
        }
        #expect(throws: Never.self) { _ = try StreamSocket.connect(to: path) }
        #expect(listener.descriptor >= 0)

        let file = directory.path("file")
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SocketError.pathTaken(path: file)) { _ = try ListeningSocket.bind(to: file, mode: 0o666) }
        let link = directory.path("link")
        symlink(directory.path("nothing"), link)
        #expect(throws: SocketError.pathTaken(path: link)) { _ = try ListeningSocket.bind(to: link, mode: 0o666) }
        var status = stat()
        #expect(lstat(file, &status) == 0 && lstat(link, &status) == 0)
    }

    @Test func `a socket file that another process has replaced is not removed`() throws {
        let path = directory.path("s")
        var status = stat()
        let successor: ListeningSocket
        do {
            let listener = try ListeningSocket.bind(to: path, mode: 0o666)
            unlink(path)
            successor = try ListeningSocket.bind(to: path, mode: 0o666)
            #expect(listener.descriptor >= 0)
        }
        #expect(lstat(path, &status) == 0)
        #expect(successor.descriptor >= 0)
    }

    @Test func `an invalid path is an error that states the limit`() {
        let long = "/" + String(repeating: "x", count: 107)
        #expect(throws: SocketError.pathTooLong(path: long, maximum: 107)) {
            _ = try StreamSocket.connect(to: long)
        }
        #expect(SocketError.pathTooLong(path: long, maximum: 107).description.contains("has 108 bytes"))
        #expect(throws: SocketError.pathUnusable(path: "")) { _ = try StreamSocket.connect(to: "") }
        #expect(throws: SocketError.pathUnusable(path: "a\0b")) {
            _ = try ListeningSocket.bind(to: "a\0b", mode: 0o666)
        }
    }
}
