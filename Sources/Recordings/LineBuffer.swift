// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Bytes in, lines out, whatever way the bytes were cut into chunks.
struct LineBuffer: Sendable {
    enum Line {
        /// A line without its end.
        case complete(Range<Int>)
        /// The last bytes of the input, without an end of line.
        case unfinished(Range<Int>)
        case tooLong
    }

    private(set) var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    mutating func append(_ chunk: ArraySlice<UInt8>) {
        bytes.removeFirst(position)
        position = 0
        bytes.append(contentsOf: chunk)
    }

    mutating func end() {
        isAtEnd = true
    }

    /// The next line; nil when more bytes are needed, or none are left.
    mutating func next() -> Line? {
        let start = position
        let window = min(bytes.count - start, RecordingLimits.lineLength + 1)
        let length: Int? = bytes.withUnsafeBytes { all in
            guard window > 0, let base = all.baseAddress else { return nil }
            return memchr(base + start, 10, window).map {
                $0 - UnsafeMutableRawPointer(mutating: base + start)
            }
        }
        if let length {
            position = start + length + 1
            let hasReturn = length > 0 && bytes[start + length - 1] == UInt8(ascii: "\r")
            return .complete(start..<(start + length - (hasReturn ? 1 : 0)))
        }
        if window > RecordingLimits.lineLength { return .tooLong }
        guard isAtEnd, window > 0 else { return nil }
        position = bytes.count
        return .unfinished(start..<bytes.count)
    }
}
