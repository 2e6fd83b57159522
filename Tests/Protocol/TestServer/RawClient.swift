// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Varlink

/// Creates a socket with a name in the file system, which does not listen; -1 if that fails.
package func boundSocket(at path: String) -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
    return isBound ? descriptor : -1
}

/// A client without protocol checks, which sends any bytes.
package struct RawClient: ~Copyable {
    package let socket: StreamSocket
    private var received: [UInt8]

    /// The socket was not ready in time.
    package struct Timeout: Error {}

    /// In milliseconds; a passing test never waits for it.
    private static let timeout: Int32 = 60_000

    /// Connects; retries while the backlog is full.
    package init(to path: String, guardian: DescriptorGuard = .standard) throws {
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(Self.timeout) {
            do {
                socket = try StreamSocket.connect(to: path, guardian: guardian)
                received = []
                return
            } catch {
                // Not a pattern of `catch`, which crashes Swift 6.2 here.
                guard case .busy = error else { throw error }
                sched_yield()
            }
        }
        throw Timeout()
    }

    /// Sends a text; `|` represents a NUL.
    package func send(_ text: String) throws { try send(Self.bytes(text)) }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try rest.withUnsafeBytes { try socket.send($0) }
            rest = rest.dropFirst(count)
            if count == 0 { try wait(for: POLLOUT, milliseconds: Self.timeout) }
        }
    }

    /// Sends a text repeatedly until the service stops reading, at most `most` bytes; returns the number of bytes sent.
    package func flood(_ text: String, most: Int) throws -> Int {
        let bytes = Self.bytes(text)
        var sent = 0
        while sent < most {
            let offset = sent % bytes.count
            let count = try bytes[offset...].withUnsafeBytes { try socket.send($0) }
            sent += count
            // A slow service still reads something in this time.
            if count == 0, (try? wait(for: POLLOUT, milliseconds: 300)) == nil { break }
        }
        return sent
    }

    /// Returns the next message; nil at the end, even if the service closed without reading everything.
    package mutating func message() throws -> String? {
        while true {
            if let end = received.firstIndex(of: 0) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard try read() else { return nil }
        }
    }

    /// Sends a call and returns all of its replies.
    package mutating func call(_ call: Call) throws -> [JSONObject] {
        try send(EncodedMessage(call: call).bytes)
        var replies: [JSONObject] = []
        while let message = try message() {
            let reply = try Array(message.utf8).withUnsafeBytes { try Reply(parsing: $0) }
            replies.append(try reply.result.get())
            if !reply.continues { return replies }
        }
        throw SocketError.peerGone
    }

    /// Waits until the service closes the connection, without reading.
    package func waitForHangUp() throws {
        try wait(for: 0, milliseconds: Self.timeout)
    }

    /// Waits until data can be read, without reading.
    package func waitForData() throws {
        try wait(for: POLLIN, milliseconds: Self.timeout)
    }

    /// Reads once; returns false at the end.
    private mutating func read() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        do {
            switch try buffer.withUnsafeMutableBytes({ try socket.receive(into: $0) }) {
            case .bytes(let count): received += buffer[..<count]
            case .nothing: try wait(for: POLLIN, milliseconds: Self.timeout)
            case .end: return false
            }
        } catch SocketError.peerGone {
            return false
        }
        return true
    }

    private func wait(for events: Int32, milliseconds: Int32) throws {
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else { throw Timeout() }
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
    }
}
