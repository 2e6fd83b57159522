// SPDX-License-Identifier: Apache-2.0

/// Messages that wait to be written, in order. Empty, it holds no memory.
struct OutgoingQueue: Sendable {
    /// The message being written. It is apart from the others so that a queue of one, the usual case, allocates nothing.
    private var first: [UInt8] = []
    private var written = 0
    private var others: [[UInt8]] = []
    private var taken = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { byteCount == 0 }

    mutating func append(_ message: EncodedMessage) {
        byteCount += message.bytes.count
        if first.isEmpty {
            first = message.bytes
        } else {
            others.append(message.bytes)
        }
    }

    /// The bytes to write next: what is left of the first message.
    func withNextBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let span = first.span.bytes
        return try span.withUnsafeBytes { (bytes) throws(Failure) -> Result in
            try body(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        }
    }

    /// Drops the bytes that were written; never more than ``withNextBytes(_:)`` gave.
    mutating func drop(_ count: Int) {
        precondition(count >= 0 && written + count <= first.count, "more written than there was")
        written += count
        byteCount -= count
        guard written == first.count else { return }
        written = 0
        advance()
    }

    mutating func removeAll() {
        self = OutgoingQueue()
    }

    private mutating func advance() {
        guard taken < others.count else {
            first = []
            others = []
            taken = 0
            return
        }
        first = others[taken]
        others[taken] = []
        taken += 1
    }
}
