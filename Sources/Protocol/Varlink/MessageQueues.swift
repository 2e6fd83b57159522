// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The received bytes, split into messages at their NULs. Holds no memory while empty.
struct IncomingMessages: Sendable {
    private var buffer: [UInt8] = []
    private var consumed = 0
    /// The number of complete messages.
    private(set) var count = 0

    /// The number of bytes: the complete messages and the beginning of the next one.
    var byteCount: Int { buffer.count - consumed }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while let end = rest.firstNUL {
            count += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
        }
        buffer.append(contentsOf: bytes)
    }

    /// Passes the next complete message, without its NUL, to `body` and removes it; returns nil if there is none.
    mutating func takeNext<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard count > 0 else { return nil }
        let (result, length) = buffer.withUnsafeBytes { bytes in
            let messages = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            let length = messages.firstNUL ?? messages.count
            return (body(UnsafeRawBufferPointer(rebasing: messages[..<length])), length)
        }
        count -= 1
        consumed += length + 1
        dropConsumed()
        return result
    }

    mutating func removeAll() {
        self = IncomingMessages()
    }

    /// Moves the rest to the front once more than half is consumed: small messages do not each move the buffer.
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

extension UnsafeRawBufferPointer {
    fileprivate var firstNUL: Int? {
        guard let baseAddress, let end = memchr(baseAddress, 0, count) else { return nil }
        return UnsafeRawPointer(end) - baseAddress
    }
}

/// The messages queued for writing. Holds no memory while empty.
struct OutgoingQueue: Sendable {
    private var messages: [[UInt8]] = []
    /// The number of bytes of the first message that were written.
    private var written = 0
    /// The number of unwritten bytes.
    private(set) var byteCount = 0

    var isEmpty: Bool { messages.isEmpty }

    mutating func append(_ message: EncodedMessage) {
        messages.append(message.bytes)
        byteCount += message.bytes.count
    }

    /// Passes the unwritten rest of the first message to `body`.
    func withNextBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let first = messages.first ?? []
        let span = first.span.bytes
        return try span.withUnsafeBytes { (bytes) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        }
    }

    /// Removes written bytes; at most as many as ``withNextBytes(_:)`` passed.
    mutating func drop(_ count: Int) {
        let length = messages.first?.count ?? 0
        precondition(count >= 0 && written + count <= length, "more bytes written than queued")
        written += count
        byteCount -= count
        guard written == length else { return }
        written = 0
        messages.removeFirst()
        if messages.isEmpty { messages = [] }
    }
}
