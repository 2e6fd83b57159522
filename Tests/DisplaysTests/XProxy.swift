// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A socket in front of an X server, for one client, on threads of its own: it can make the server refuse the requests of
/// RandR that read CRTCs.
nonisolated final class XProxy: @unchecked Sendable {
    /// The value of DISPLAY for the client.
    let display: String
    private let path: String
    private let lock = NSLock()
    private var isRefusing = false
    private let randr: UInt8

    private static let getCrtcInfo: UInt8 = 20

    /// Listens for a client of the server with this number; `randr` is the major opcode of the extension.
    init(to number: String, randr: UInt8) throws {
        self.randr = randr
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        // Numbers that no server of a test has.
        let free = (30_000..<60_000).shuffled().lazy.prefix(100).first {
            Self.withAddress("/tmp/.X11-unix/X\($0)") { bind(listener, $0, $1) } == 0
        }
        guard let free, listen(listener, 1) == 0 else { throw CocoaError(.fileWriteUnknown) }
        display = ":\(free)"
        path = "/tmp/.X11-unix/X\(free)"
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress("/tmp/.X11-unix/X\(number)", { connect(server, $0, $1) }) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        Thread.detachNewThread { [self] in
            let client = accept(listener, nil, nil)
            let copied = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.copy(from: server, to: client)
                copied.signal()
            }
            forward(from: client, to: server)
            copied.wait()
            for descriptor in [client, server, listener] { Glibc.close(descriptor) }
        }
    }

    deinit { unlink(path) }

    /// Makes the server refuse to read CRTCs, or not any more.
    func refuse(_ isRefusing: Bool) { lock.withLock { self.isRefusing = isRefusing } }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Sends bytes; a closed peer is noticed by the next read.
    private static func send(_ bytes: ArraySlice<UInt8>, to target: Int32) {
        _ = bytes.withUnsafeBytes { Glibc.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private static func copy(from source: Int32, to target: Int32) {
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &part, part.count), count > 0 { send(part[..<count], to: target) }
        shutdown(target, Int32(SHUT_RDWR))
    }

    /// Forwards the requests of the client: first the set-up, then messages that have their length in words.
    private func forward(from client: Int32, to server: Int32) {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        var isSetUp = false
        while case let count = read(client, &part, part.count), count > 0 {
            bytes += part[..<count]
            while case let size = size(of: bytes, isSetUp: isSetUp), bytes.count >= size {
                var message = Array(bytes[..<size])
                bytes.removeFirst(size)
                if isSetUp, message[0] == randr, message[1] == Self.getCrtcInfo, lock.withLock({ isRefusing }) {
                    // No CRTC has this number.
                    message.replaceSubrange(4..<8, with: [0, 0, 0, 0])
                }
                isSetUp = true
                Self.send(message[...], to: server)
            }
        }
        shutdown(server, Int32(SHUT_RDWR))
    }

    /// The size of the next message; more than there are bytes if it is not known yet.
    private func size(of bytes: [UInt8], isSetUp: Bool) -> Int {
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        func padded(_ count: Int) -> Int { (count + 3) / 4 * 4 }
        if !isSetUp { return bytes.count < 12 ? 12 : 12 + padded(number(6)) + padded(number(8)) }
        return bytes.count < 4 ? 4 : max(number(2) * 4, 4)
    }
}
