// SPDX-License-Identifier: Apache-2.0

/// Splits bytes into lines; chunks may end anywhere.
struct LineBuffer: Sendable {
    enum Line {
        /// A line, without its line ending.
        case complete(Range<Int>)
        /// The last bytes of the input, which have no line ending.
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

    /// Returns the next line; nil if more bytes are needed or none are left.
    mutating func next() -> Line? {
        let start = position
        let window = min(bytes.count - start, RecordingLimits.lineLength + 1)
        let length = bytes[start..<start + window].firstIndex(of: UInt8(ascii: "\n")).map { $0 - start }
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
