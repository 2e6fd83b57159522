// SPDX-License-Identifier: Apache-2.0

import Glibc
import Varlink

// Strings as messages: | represents the NUL that terminates a message.

func wire(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
}

extension ServerConnection {
    mutating func receive(_ text: String) {
        wire(text).withUnsafeBytes { receive($0) }
    }

    /// Returns the unsent bytes as text, and marks them as sent.
    mutating func sent() -> String {
        var all: [UInt8] = []
        while unsentBytes > 0 {
            let bytes = withUnsentBytes { Array($0) }
            all += bytes
            didSend(bytes.count)
        }
        return String(decoding: all.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
    }
}

/// Two connected sockets.
struct SocketPair: ~Copyable {
    let one: StreamSocket
    let other: StreamSocket

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &descriptors) == 0 else { throw SocketError.peerGone }
        // In this order: Swift 6.2 crashes on a field that is assigned before an error.
        let one = try StreamSocket(adopting: descriptors[0])
        other = try StreamSocket(adopting: descriptors[1])
        self.one = one
    }
}
