// SPDX-License-Identifier: Apache-2.0

import Varlink

// Strings as messages: | represents the NUL that terminates a message.

func wire(_ text: String) -> [UInt8] {
    text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
}

extension ConnectionEnd {
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
