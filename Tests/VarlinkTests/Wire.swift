// SPDX-License-Identifier: Apache-2.0

import Varlink

// Connections fed from strings, in which | stands for the NUL that ends a message.

func wire(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
}

extension ServerConnection {
    mutating func receive(_ text: String) {
        wire(text).withUnsafeBytes { receive($0) }
    }

    /// All that waits to be written, written at once.
    mutating func sent() -> String {
        var all: [UInt8] = []
        while !isCaughtUp {
            let bytes = withUnsentBytes { Array($0) }
            all += bytes
            didSend(bytes.count)
        }
        return String(decoding: all.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
    }
}

extension ClientConnection {
    mutating func receive(_ text: String) {
        wire(text).withUnsafeBytes { receive($0) }
    }

    /// All that waits to be written, written at once.
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
