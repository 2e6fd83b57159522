// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into messages at their NULs. Empty, it holds no memory.
struct IncomingMessages: Sendable {
    private var buffer: [UInt8] = []
    private var consumed = 0
    /// How many complete messages wait.
    private(set) var count = 0

    /// How many bytes are held: the complete messages and the beginning of the next.
    var byteCount: Int { buffer.count - consumed }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes where byte == 0 { count += 1 }
        buffer.append(contentsOf: bytes)
    }

    /// Hands the next complete message, without its NUL, to `body` and drops it; nil where there is none.
    mutating func takeNext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard count > 0, let end = buffer[consumed...].firstIndex(of: 0) else { return nil }
        let result = buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[consumed..<end])) }
        count -= 1
        consumed = end + 1
        dropConsumed()
        return result
    }

    mutating func removeAll() {
        self = IncomingMessages()
    }

    /// Moves what is left to the front only once that is the smaller half, so that many small messages do not cost a
    /// move of the whole buffer each.
    private mutating func dropConsumed() {
        if consumed == buffer.count {
            buffer = []
            consumed = 0
        } else if consumed > buffer.count / 2 {
            buffer = Array(buffer[consumed...])
            consumed = 0
        }
    }
}
