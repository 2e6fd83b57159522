// SPDX-License-Identifier: Apache-2.0

// The messages of the Snapdragon sensor core: QMI service 400, whose requests and reports contain protobuf messages.

/// The identifier of a sensor of the core (SUID).
package struct SensorUID: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    /// The sensor that lists the others.
    static let lookUp = SensorUID(low: 0xABAB_ABAB_ABAB_ABAB, high: 0xABAB_ABAB_ABAB_ABAB)

    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Reads a message {1 low, 2 high}.
    init(_ message: ArraySlice<UInt8>) throws(Malformed) {
        let fields = try message.fields()
        guard case .fixed64(let low)? = fields[field: 1], case .fixed64(let high)? = fields[field: 2] else {
            throw Malformed()
        }
        self.init(low: low, high: high)
    }

    var message: ProtobufWriter {
        ProtobufWriter {
            $0.add(1, fixed64: low)
            $0.add(2, fixed64: high)
        }
    }
}

/// A request to a sensor of the core.
struct CoreRequest: Equatable {
    let sensor: SensorUID
    let message: UInt32
    let payload: [UInt8]

    private init(_ sensor: SensorUID, _ message: UInt32, _ payload: ProtobufWriter = ProtobufWriter()) {
        self.sensor = sensor
        self.message = message
        self.payload = payload.bytes
    }

    /// Requests the sensors of a data type, such as `accel`, now and after each change.
    static func lookUp(_ type: String) -> Self {
        Self(
            .lookUp, 512,
            ProtobufWriter {
                $0.add(1, bytes: type.utf8)
                $0.add(2, varint: 1)
                // Not only the default sensor.
                $0.add(3, varint: 0)
            })
    }

    /// Requests the attributes of a sensor, now and after each change.
    static func attributes(of sensor: SensorUID) -> Self {
        Self(sensor, 1, ProtobufWriter { $0.add(1, varint: 1) })
    }

    /// Requests samples at a rate in hertz, or at the next higher one that the sensor has.
    static func stream(_ sensor: SensorUID, rate: Double) -> Self {
        Self(sensor, 513, ProtobufWriter { $0.add(1, fixed32: Float(rate).bitPattern) })
    }

    /// Requests the value of a sensor, now and after each change.
    static func changes(_ sensor: SensorUID) -> Self { Self(sensor, 514) }

    /// The QMI request.
    func datagram(transaction: UInt16) -> [UInt8] {
        let text = ProtobufWriter {
            $0.add(1, message: sensor.message)
            $0.add(2, fixed32: message)
            let delivery = ProtobufWriter {
                // From the application processor; events do not wake it from suspend.
                $0.add(1, varint: 1)
                $0.add(2, varint: 1)
            }
            $0.add(3, message: delivery)
            $0.add(4, message: ProtobufWriter { $0.add(2, bytes: payload) })
        }.bytes
        var values: [UInt8] = [0x01]
        values.append(littleEndian: UInt16(text.count + 2))
        values.append(littleEndian: UInt16(text.count))
        values += text
        // Reports may be large: the core drops longer ones otherwise.
        values += [0x10, 1, 0, 1]
        var frame: [UInt8] = [0]
        for number in [transaction, 0x0020, UInt16(values.count)] { frame.append(littleEndian: number) }
        return frame + values
    }
}

/// A datagram of the core.
enum CoreMessage: Equatable {
    /// The core has received a request; `error` is the number of the error if it was refused.
    case response(error: UInt32?)
    case report(CoreReport)

    /// Reads a QMI frame: type, transaction, message and length, then values of {type, length, bytes}.
    init(_ datagram: ArraySlice<UInt8>) throws(Malformed) {
        let header = datagram.prefix(7)
        guard header.count == 7, let kind = header.first,
            Int(header.dropFirst(5).littleEndian) == datagram.count - header.count
        else { throw Malformed() }
        let values = try Self.values(datagram.dropFirst(7))
        switch (kind, header.dropFirst(3).prefix(2).littleEndian) {
        case (2, 0x20):
            guard let result = values[0x02], result.count == 4 else { throw Malformed() }
            let isRefused = result.prefix(2).littleEndian != 0
            let code = isRefused ? result.suffix(2).littleEndian : values[0x11]?.prefix(4).littleEndian ?? 0
            self = .response(error: isRefused || code != 0 ? UInt32(truncatingIfNeeded: code) : nil)
        case (4, 0x21), (4, 0x22):
            guard let text = values[0x02], text.count >= 2, Int(text.prefix(2).littleEndian) == text.count - 2 else {
                throw Malformed()
            }
            self = .report(try CoreReport(text.dropFirst(2)))
        default: throw Malformed()
        }
    }

    private static func values(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> [UInt8: ArraySlice<UInt8>] {
        var (values, rest) = ([UInt8: ArraySlice<UInt8>](), bytes)
        while let type = rest.popFirst() {
            let length = Int(rest.prefix(2).littleEndian)
            guard rest.count >= 2 + length else { throw Malformed() }
            values[type] = rest.dropFirst(2).prefix(length)
            rest = rest.dropFirst(2 + length)
        }
        return values
    }
}

/// The events of one sensor.
struct CoreReport: Equatable {
    let sensor: SensorUID
    private(set) var events: [CoreEvent] = []

    init(_ message: ArraySlice<UInt8>) throws(Malformed) {
        let fields = try message.fields()
        guard case .bytes(let uid)? = fields[field: 1] else { throw Malformed() }
        sensor = try SensorUID(uid)
        for case (2, .bytes(let event)) in fields { events.append(try CoreEvent(event)) }
    }
}

struct CoreEvent: Equatable {
    /// The kind of the event, which depends on the data type of the sensor for most numbers.
    let message: UInt32
    /// The time of the core's clock.
    private(set) var ticks: UInt64 = 0
    private(set) var payload: ArraySlice<UInt8> = []

    static let ticksPerSecond = 19_200_000.0
    /// The kinds that all sensors share.
    static let attributes: UInt32 = 128
    static let error: UInt32 = 130
    /// The list of ``SensorUID/lookUp``.
    static let list: UInt32 = 768
    /// The rate, range and mode of another sensor, after a change.
    static let configuration: UInt32 = 768
    /// The values of most sensors: floats and an accuracy.
    static let sample: UInt32 = 1025
    /// The values of proximity sensors, of which a core sends one.
    static let proximity: Set<UInt32> = [769, 1031]

    init(_ message: ArraySlice<UInt8>) throws(Malformed) {
        let fields = try message.fields()
        guard case .fixed32(let kind)? = fields[field: 1] else { throw Malformed() }
        self.message = kind
        if case .fixed64(let ticks)? = fields[field: 2] { self.ticks = ticks }
        if case .bytes(let payload)? = fields[field: 3] { self.payload = payload }
    }

    /// The payload, for reports.
    var statement: String { String(payload.statement().prefix(Self.longestStatement)) }

    /// The longest statement; the attributes of a sensor have about a thousand characters.
    static let longestStatement = 4_000

    /// The code of an error event.
    func errorCode() throws(Malformed) -> UInt64 { try number(1) ?? 0 }

    /// The last integer of a field; nil without one.
    func number(_ number: UInt64) throws(Malformed) -> UInt64? {
        if case .varint(let value)? = try payload.fields()[field: number] { value } else { nil }
    }

    /// The floats of field 1, which are finite and at least `count`, and the accuracy in field 2, 0 to 3. More than `count`
    /// are returned only if `allowsMore`.
    func floats(_ count: Int, allowsMore: Bool = false) throws(Malformed) -> (values: [Double], accuracy: UInt64) {
        let fields = try payload.fields()
        var (values, accuracy) = ([Double](), UInt64(3))
        if case .varint(let number)? = fields[field: 2] { accuracy = number }
        for case (1, let value) in fields {
            guard let floats = value.floats else { throw Malformed() }
            values += floats
        }
        guard values.allSatisfy(\.isFinite), values.count == count || allowsMore && values.count > count else {
            throw Malformed()
        }
        return (values, accuracy)
    }

    /// The data type and the sensors of a list, at most ``longestList``.
    func listedSensors() throws(Malformed) -> (type: String, sensors: [SensorUID]) {
        let fields = try payload.fields()
        guard case .bytes(let type)? = fields[field: 1] else { throw Malformed() }
        var sensors: [SensorUID] = []
        for case (2, .bytes(let uid)) in fields where sensors.count < Self.longestList {
            sensors.append(try SensorUID(uid))
        }
        return (String(coreText: type), sensors)
    }

    /// The most sensors of a type; a phone has one or two.
    static let longestList = 32
}

/// The attributes of a sensor that are used.
package struct CoreAttributes: Hashable, Sendable {
    package internal(set) var name = ""
    package internal(set) var isAvailable = true
    /// The rates of a streaming sensor, in hertz, in ascending order.
    package internal(set) var rates: [Double] = []
    /// Whether the sensor sends changes, not samples at a rate.
    package internal(set) var sendsChanges = false
    package internal(set) var hardwareID: Int64 = 0
    /// The part of the device: 0 the display, 1 the keyboard, 2 another device.
    package internal(set) var rigidBody: Int64 = 0
    /// All attributes, at most ``CoreEvent/longestStatement`` characters.
    package internal(set) var statement = ""

    /// The most rates that are kept.
    static let mostRates = 16

    init() {}

    /// Reads an attribute event: 1 repeated {1 id, 2 values}.
    init(_ event: CoreEvent) throws(Malformed) {
        for case (1, .bytes(let attribute)) in try event.payload.fields() {
            let fields = try attribute.fields()
            if case .varint(let id)? = fields[field: 1], case .bytes(let values)? = fields[field: 2] {
                try set(id, values)
            }
        }
        guard !name.isEmpty else { throw Malformed() }
        rates.sort()
        statement = event.statement
    }

    /// Sets an attribute from 1 repeated {2 text, 3 float, 4 integer, 5 truth value}. Nested lists are not read.
    private mutating func set(_ id: UInt64, _ values: ArraySlice<UInt8>) throws(Malformed) {
        for case (1, .bytes(let value)) in try values.fields() {
            for field in try value.fields() {
                switch (id, field.number, field.value) {
                case (0, 2, .bytes(let text)): name = String(coreText: text)
                case (3, 5, .varint(let truth)): isAvailable = truth != 0
                case (6, 3, .fixed32(let bits)):
                    let rate = Double(Float(bitPattern: bits))
                    if rate.isFinite, rate > 0, rates.count < Self.mostRates { rates.append(rate) }
                case (16, 4, .fixed64(let number)): sendsChanges = number != 0
                case (18, 4, .fixed64(let number)): hardwareID = Int64(bitPattern: number)
                case (19, 4, .fixed64(let number)): rigidBody = Int64(bitPattern: number)
                default: break
                }
            }
        }
    }
}

extension String {
    /// A text of the core: up to a zero byte, printable ASCII, at most 64 characters.
    init(coreText bytes: ArraySlice<UInt8>) {
        self.init(decoding: bytes.prefix { $0 != 0 }.filter { 0x20..<0x7F ~= $0 }.prefix(64), as: UTF8.self)
    }
}

/// A packet of the QRTR name service: five numbers of 32 bits.
enum ControlPacket: Equatable {
    /// The core is offered at an address.
    case added(QRTRAddress)
    case removed(QRTRAddress)
    /// The end of the list that answers a look-up; later changes follow.
    case endOfList
    case other

    /// The service of the sensor core.
    private static let service: UInt64 = 400

    /// A look-up, which is registered until the socket is closed: command, service, any instance.
    static var lookUp: [UInt8] {
        var bytes: [UInt8] = []
        for number in [10, UInt32(service), 0, 0, 0] { bytes.append(littleEndian: number) }
        return bytes
    }

    init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        guard bytes.count >= 20 else { throw Malformed() }
        let numbers = (0..<5).map { bytes.dropFirst($0 * 4).prefix(4).littleEndian }
        let address = QRTRAddress(
            node: UInt32(truncatingIfNeeded: numbers[3]), port: UInt32(truncatingIfNeeded: numbers[4]))
        self =
            switch (numbers[0], numbers[1]) {
            case (4, 0): .endOfList
            case (4, Self.service): .added(address)
            case (5, Self.service): .removed(address)
            default: .other
            }
    }
}
