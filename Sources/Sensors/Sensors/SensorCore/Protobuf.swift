// SPDX-License-Identifier: Apache-2.0

/// The value of a field of a protobuf message.
enum ProtobufValue: Equatable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// A text, a message, or packed numbers.
    case bytes(ArraySlice<UInt8>)

    /// The floats of a repeated field, which may be packed; nil for another type.
    var floats: [Double]? {
        switch self {
        case .fixed32(let bits): return [Double(Float(bitPattern: bits))]
        case .bytes(let packed) where packed.count.isMultiple(of: 4):
            return stride(from: packed.startIndex, to: packed.endIndex, by: 4).map { start in
                Double(Float(bitPattern: UInt32(truncatingIfNeeded: packed[start..<start + 4].littleEndian)))
            }
        default: return nil
        }
    }
}

/// A message that ends within a field, or lacks a field that is needed.
struct Malformed: Error, Equatable {}

extension ArraySlice<UInt8> {
    /// Returns the fields of a protobuf message, in order. Every length is checked against the message that contains it.
    func fields() throws(Malformed) -> [(number: UInt64, value: ProtobufValue)] {
        var (fields, rest) = ([(number: UInt64, value: ProtobufValue)](), self)
        while !rest.isEmpty {
            let tag = try rest.takeVarint()
            let value: ProtobufValue
            switch tag & 7 {
            case 0: value = .varint(try rest.takeVarint())
            case 1: value = .fixed64(try rest.take(8).littleEndian)
            case 2:
                let count = try rest.takeVarint()
                value = .bytes(try rest.take(count))
            case 5: value = .fixed32(UInt32(truncatingIfNeeded: try rest.take(4).littleEndian))
            default: throw Malformed()
            }
            fields.append((tag >> 3, value))
        }
        return fields
    }

    /// The fields of a message of any kind, for reports, such as `1 12.5, 3 (1 2)`. What is no message is a text, and so are
    /// three or more printable bytes: a name may be a message by chance.
    func statement(depth: Int = 6) -> String {
        let rest = drop { 0x20..<0x7F ~= $0 }
        let isText = count - rest.count >= 3 && (rest.isEmpty || rest.elementsEqual([0]))
        guard !isText, depth > 0, let fields = try? fields() else { return String(coreText: self) }
        return fields.map { field in
            let text =
                switch field.value {
                case .varint(let number), .fixed64(let number): "\(number)"
                case .fixed32(let bits): "\(Float(bitPattern: bits))"
                case .bytes(let bytes): "(\(bytes.statement(depth: depth - 1)))"
                }
            return "\(field.number) \(text)"
        }.joined(separator: ", ")
    }

    private mutating func takeVarint() throws(Malformed) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = popFirst() else { break }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Malformed()
    }

    private mutating func take(_ count: UInt64) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= UInt64(self.count) else { throw Malformed() }
        defer { self = dropFirst(Int(count)) }
        return prefix(Int(count))
    }

    /// The number that at most eight bytes are, the lowest one first.
    var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

extension [(number: UInt64, value: ProtobufValue)] {
    /// The last value of a field, which counts if the field is not repeated; nil without one.
    subscript(field number: UInt64) -> ProtobufValue? { last { $0.number == number }?.value }
}

/// Writes a protobuf message.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    init(_ build: (inout ProtobufWriter) -> Void = { _ in }) { build(&self) }

    mutating func add(_ number: UInt64, varint value: UInt64) {
        append(varint: number << 3)
        append(varint: value)
    }

    mutating func add(_ number: UInt64, fixed64 value: UInt64) {
        append(varint: number << 3 | 1)
        bytes.append(littleEndian: value)
    }

    mutating func add(_ number: UInt64, fixed32 value: UInt32) {
        append(varint: number << 3 | 5)
        bytes.append(littleEndian: value)
    }

    mutating func add(_ number: UInt64, bytes value: some Collection<UInt8>) {
        append(varint: number << 3 | 2)
        append(varint: UInt64(value.count))
        bytes += value
    }

    mutating func add(_ number: UInt64, message: ProtobufWriter) { add(number, bytes: message.bytes) }

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the lowest one first.
    mutating func append(littleEndian value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
