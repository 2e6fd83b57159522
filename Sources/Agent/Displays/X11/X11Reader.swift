// SPDX-License-Identifier: Apache-2.0

/// Reads the parts of a message of an X server, in this machine's byte order, up to its end: the server can send any count.
/// Valid as long as the bytes.
struct X11Reader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    private var left: Int { bytes.count - offset }

    /// Reads a number, or a structure of C.
    mutating func read<Value>(_: Value.Type) -> Value? {
        guard left >= MemoryLayout<Value>.size else { return nil }
        defer { offset += MemoryLayout<Value>.size }
        return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
    }

    mutating func read<Value>(_: Value.Type, count: Int) -> [Value]? {
        guard count >= 0, left / MemoryLayout<Value>.size >= count else { return nil }
        return (0..<count).compactMap { _ in read(Value.self) }
    }

    mutating func readBytes(_ count: Int) -> [UInt8]? { read(UInt8.self, count: count) }

    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, left >= count else { return false }
        offset += count
        return true
    }
}
