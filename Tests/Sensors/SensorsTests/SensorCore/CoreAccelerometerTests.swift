// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Posix
import Testing

@testable import Sensors

/// The source `ssc:` with a socket of the test.
@Suite struct CoreAccelerometerTests {
    private let socket = FakeCoreSocket()
    private let sensor: CoreAccelerometer

    init() throws { sensor = try Self.open(socket) }

    /// A sensor as listed, with these attributes.
    private static func listed(
        _ change: (inout CoreAttributes) -> Void = { _ in }, id: String = "accel0"
    ) -> CoreSensor {
        var attributes = CoreAttributes()
        (attributes.name, attributes.rates) = ("lsm6dso", [12.5, 26, 52])
        change(&attributes)
        return CoreSensor(
            type: .accelerometer, uid: CoreFrames.accelerometer, server: CoreFrames.server, id: id,
            attributes: attributes)
    }

    private static func open(
        _ socket: FakeCoreSocket, _ change: (inout CoreAttributes) -> Void = { _ in }
    ) throws -> CoreAccelerometer {
        try CoreAccelerometer(
            SensorDescription(id: "accel0", name: "lsm6dso"), listed(change),
            frame: DeviceFrame(matrix: CoreSource.defaultMatrix, sense: .specificForce), socket: socket)
    }

    private func receive(_ bytes: ArraySlice<UInt8>, from source: QRTRAddress = CoreFrames.server) {
        socket.queue.append((bytes, source))
    }

    private func sample(_ vectors: [Float]..., accuracy: UInt64 = 3) {
        for vector in vectors {
            receive(
                CoreFrames.report(CoreFrames.accelerometer, (1025, CoreFrames.floats(vector, accuracy: accuracy))))
        }
    }

    private var wait: AccelerometerStep { .awaitInput(descriptor: -1) }

    @Test func `the stream is requested at the lowest sufficient rate, and faster for subscribers`() throws {
        func stream(_ rate: Double, _ transaction: UInt16) -> [UInt8] {
            CoreRequest.stream(CoreFrames.accelerometer, rate: rate).datagram(transaction: transaction)
        }
        #expect(socket.sent.map { $0.bytes } == [ControlPacket.lookUp, stream(12.5, 1)])
        sensor.setMotionRate(0)
        sensor.setMotionRate(40)
        sensor.setMotionRate(nil)
        #expect(socket.sent.dropFirst(2).map { $0.bytes } == [stream(52, 2), stream(12.5, 3)])
        #expect(sensor.conversion.rate == 12.5)
    }

    @Test func `a rate that could not be requested is requested again`() throws {
        socket.failure = Errno(EAGAIN)
        sensor.setMotionRate(40)
        socket.failure = nil
        _ = try sensor.next(at: 10)
        let request = CoreRequest.stream(CoreFrames.accelerometer, rate: 52).datagram(transaction: 3)
        #expect(socket.sent.last?.bytes == request)
    }

    @Test func `samples are in the device frame: upright is y, face up is z`() throws {
        sample([0, 9.81, 0], [0, 0, 9.81])
        guard case .sample(let upright, _) = try sensor.next(at: 10),
            case .sample(let faceUp, _) = try sensor.next(at: 11)
        else { throw Malformed() }
        #expect((upright.acceleration - Acceleration(x: 0, y: 9.81, z: 0)).magnitude < 0.01)
        #expect((faceUp.acceleration - Acceleration(x: 0, y: 0, z: 9.81)).magnitude < 0.01)
        #expect(upright.time == 10 && faceUp.time == 11)
        #expect(try sensor.next(at: 12) == wait)
    }

    @Test func `the samples of a report have the differences of their times, at most a second`() throws {
        let payload = CoreFrames.floats([0, 9.81, 0])
        receive(
            CoreFrames.report(
                CoreFrames.accelerometer, (1025, payload), (1025, payload), (1025, payload),
                ticks: [0, 191_040_000, 192_000_000]))
        let times = try (0..<3).compactMap { _ -> Double? in
            if case .sample(let sample, _) = try sensor.next(at: 20) { sample.time } else { nil }
        }
        #expect(times == [19, 19.95, 20])
    }

    @Test func `samples that are not stable yet are dropped for a second`() throws {
        sample([0, 9.81, 0], accuracy: 0)
        #expect(try sensor.next(at: 10) == wait)
        sample([0, 9.81, 0], accuracy: 0)
        #expect(try sensor.next(at: 10.9) == wait)
        sample([0, 9.81, 0], accuracy: 0)
        #expect(try sensor.next(at: 11) != wait)
    }

    @Test func `silence is a failure from the first sample on`() throws {
        // A value that is dropped is none.
        sample([0, 9.81, 0], accuracy: 0)
        #expect(try sensor.next(at: 9) == wait)
        #expect(sensor.longestSilence == nil)
        sample([0, 9.81, 0])
        _ = try sensor.next(at: 10)
        #expect(sensor.longestSilence == 5)
    }

    @Test func `a core that was removed, or is missing in the list, ends the sensor at once`() throws {
        let control = QRTRAddress.control(of: 1)
        for source in [CoreFrames.server, QRTRAddress(node: 1, port: 20_000)] {
            receive(CoreFrames.control(5, CoreFrames.server), from: source)
        }
        receive(CoreFrames.control(4, CoreFrames.server), from: control)
        receive(CoreFrames.control(4), from: control)
        #expect(try sensor.next(at: 10) == wait)
        receive(CoreFrames.control(5, CoreFrames.server), from: control)
        let gone = SensorFailure.gone("accel0: the sensor core was removed")
        #expect(throws: gone) { try sensor.next(at: 11) }
        let other = FakeCoreSocket()
        let missing = try Self.open(other)
        other.queue = [(CoreFrames.control(4), control)]
        #expect(throws: gone) { try missing.next(at: 11) }
    }

    @Test func `garbage is dropped with a warning, and samples of others without one`() throws {
        let left = CoreFrames.floats([9.81, 0, 0])
        receive(CoreFrames.report(CoreFrames.light, (1025, left)))
        receive(CoreFrames.report(CoreFrames.accelerometer, (1025, left)), from: .init(node: 1, port: 20_000))
        sample([0, 9.81, 0], [0, .nan, 0], [0, 9.81])
        receive([1, 2, 3])
        #expect(sensor.info.warnings.isEmpty)
        guard case .sample(let sample, _) = try sensor.next(at: 10) else { throw Malformed() }
        #expect(sample.acceleration.y > 9)
        #expect(try sensor.next(at: 10) == wait)
        #expect(sensor.info.warnings.count == 1)
    }

    @Test func `a refused request and an error of the core are failures`() {
        receive(CoreFrames.response())
        receive(CoreFrames.response(error: 94))
        #expect(throws: SensorFailure.failed("accel0: sensor core: the request was refused: QMI error 94")) {
            try sensor.next(at: 10)
        }
        receive(CoreFrames.report(CoreFrames.accelerometer, (130, CoreFrames.error(6))))
        #expect(throws: SensorFailure.failed("accel0: sensor core: error 6")) { try sensor.next(at: 10) }
        socket.failure = Errno(ENETRESET)
        #expect(throws: SensorFailure.self) { try sensor.next(at: 10) }
    }

    @Test func `a flood does not occupy the thread`() throws {
        for _ in 0..<200 { receive([1, 2, 3], from: .init(node: 1, port: 20_000)) }
        #expect(try sensor.next(at: 10) == wait)
        #expect(socket.queue.count == 136)
    }

    // MARK: The row

    private func scan(_ address: String, _ sensors: [CoreSensor], _ properties: [SensorProperty: String] = [:]) throws
        -> [SensorDescription]
    {
        var facts = HardwareFacts()
        facts.core = .listing(sensors)
        for sensor in sensors { facts.properties[sensor.id] = properties }
        return try CoreSource.row.scan(address, facts)
    }

    @Test func `the sensor in the display is chosen, and another one only by name`() throws {
        let sensors = [
            Self.listed({ $0.rigidBody = 1 }, id: "accel0"), Self.listed({ $0.rigidBody = 2 }, id: "accel1"),
            Self.listed({ $0.isAvailable = false }, id: "accel2"), Self.listed(id: "accel3"),
        ]
        func chosen(_ address: String) throws -> String? { try scan(address, sensors).first(where: \.isChosen)?.id }
        #expect(try chosen("") == "accel3")
        #expect(try chosen("?local=1") == "accel3")
        #expect(try chosen("accel0") == "accel0")
        #expect(try chosen("accel2") == nil)
        #expect(try scan("", sensors).map(\.location) == ["base", "display", "display", "display"])
        #expect(try scan("", sensors)[0].statements.first == "service: 400, node 9, port 17")
    }

    @Test func `the mount matrix is that of the DSP's device, and not the identity without one`() throws {
        let without = try #require(try scan("", [Self.listed()]).first)
        #expect(without.matrix == [-1, 0, 0, 0, -1, 0, 0, 0, -1] && without.matrixSource == "default")
        let stated = try #require(
            try scan("", [Self.listed()], [.mountMatrix: "0,1,0;-1,0,0;0,0,1", .location: "base"]).first)
        #expect(stated.matrix == [0, 1, 0, -1, 0, 0, 0, 0, 1] && stated.location == "base")
    }

    @Test func `a failing read of udev's database is tried again`() throws {
        let uri = try SensorURI(parsing: "ssc:", table: [CoreSource.row])
        func reason(_ change: (inout HardwareFacts) -> Void) throws -> SensorFailure {
            var facts = HardwareFacts()
            change(&facts)
            return try #require(#expect(throws: OpenFailure.self) { try uri.open(facts: facts) }).reason
        }
        // Before the watch has started.
        #expect(try reason { _ in }.isWorthRetrying)
        let failure = SensorFailure.failed("udev")
        #expect(try reason { ($0.core, $0.failure) = (CoreList(), failure) } == failure)
        let core = CoreList.listing([Self.listed()])
        #expect(try reason { ($0.core, $0.coreFailure) = (core, failure) } == failure)
    }

    @Test func `without a sensor the message has the state of the core`() throws {
        var facts = HardwareFacts()
        facts.core = CoreList()
        let error = #expect(throws: OpenFailure.self) { try CoreSource.row.open("", facts) }
        let reason = try #require(error).reason
        #expect("\(reason)".contains("sensor core (searching)"))
        #expect(throws: SensorFailure.self) { try CoreSource.row.check("accel0?remote=1") }
    }
}

extension CoreList {
    fileprivate static func listing(_ sensors: [CoreSensor]) -> Self {
        var list = Self()
        list.sensors = sensors
        return list
    }
}
