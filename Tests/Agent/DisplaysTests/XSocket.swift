// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sockets of X servers.
nonisolated enum XSocket {
    /// Listens for a client with a number that no server has.
    static func listen() throws -> (descriptor: Int32, display: String, path: String) {
        // The first X server since the start of the machine makes it.
        if mkdir(folder, 0o1777) == 0 { chmod(folder, 0o1777) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let free = (30_000..<60_000).shuffled().lazy.prefix(100).first {
            withAddress(of: "\($0)") { bind(listener, $0, $1) } == 0
        }
        guard let free, Glibc.listen(listener, 1) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return (listener, ":\(free)", path(of: "\(free)"))
    }

    /// Connects to the server of a number.
    static func connect(to number: String) throws -> Int32 {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(of: number, { Glibc.connect(server, $0, $1) }) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        return server
    }

    /// Sends bytes; a closed peer is noticed by the next read.
    static func send(_ bytes: ArraySlice<UInt8>, to target: Int32) {
        _ = bytes.withUnsafeBytes { Glibc.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private static let folder = "/tmp/.X11-unix"

    private static func path(of number: String) -> String { "\(folder)/X\(number)" }

    private static func withAddress(
        of number: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path(of: number).utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Reads the messages of a client: first the set-up, then requests, which have their length in words.
nonisolated struct XMessages {
    private let client: Int32
    private var bytes: [UInt8] = []
    private(set) var isSetUp = false

    init(of client: Int32) {
        self.client = client
    }

    /// Waits for the next message; nil at the end.
    mutating func next() -> [UInt8]? {
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < size {
            let count = read(client, &part, part.count)
            guard count > 0 else { return nil }
            bytes += part[..<count]
        }
        defer {
            bytes.removeFirst(size)
            isSetUp = true
        }
        return Array(bytes[..<size])
    }

    /// The size of the next message; more than there are bytes if it is not known yet.
    private var size: Int {
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        func padded(_ count: Int) -> Int { (count + 3) / 4 * 4 }
        if !isSetUp { return bytes.count < 12 ? 12 : 12 + padded(number(6)) + padded(number(8)) }
        return bytes.count < 4 ? 4 : max(number(2) * 4, 4)
    }
}
