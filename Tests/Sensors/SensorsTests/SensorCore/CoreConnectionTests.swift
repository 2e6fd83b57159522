// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix
import Testing

@testable import Sensors

/// The states of the connection to the sensor core.
@Suite struct CoreConnectionTests {
    /// A connection with an open socket of node 1, and what it has requested.
    private struct Bench {
        var connection: CoreConnection
        /// The time until the timer fires; nil while it is off.
        private(set) var wake: Double?
        private(set) var sent: [(bytes: [UInt8], address: QRTRAddress)] = []
        private(set) var opens = 0
        private(set) var changes = 0
        private(set) var notes: [String] = []

        init(permitsLocal: Bool = false) {
            connection = CoreConnection(types: [.accelerometer, .light], permitsLocal: permitsLocal)
            perform(connection.opened(node: 1))
        }

        mutating func perform(_ effects: [CoreConnection.Effect]) {
            for effect in effects {
                switch effect {
                case .open:
                    opens += 1
                    perform(connection.opened(node: 1))
                case .send(let bytes, let address): sent.append((bytes, address))
                case .wake(let seconds): wake = seconds
                case .changed: changes += 1
                case .log(let text): notes.append(text)
                }
            }
        }

        mutating func receive(_ bytes: ArraySlice<UInt8>, from source: QRTRAddress = CoreFrames.server) {
            perform(connection.received(bytes, from: source))
        }

        mutating func control(_ command: UInt32, _ address: QRTRAddress? = nil) {
            receive(CoreFrames.control(command, address), from: .control(of: 1))
        }

        /// The name service lists one server.
        mutating func find(_ server: QRTRAddress = CoreFrames.server) {
            control(4, server)
            control(4)
        }

        mutating func list() {
            find()
            receive(CoreFrames.response())
            receive(CoreFrames.list("accel", [CoreFrames.accelerometer]))
            receive(CoreFrames.attributes(of: CoreFrames.accelerometer))
        }

        mutating func fire() {
            wake = nil
            perform(connection.timerFired())
        }

        var state: CoreState { connection.list.state }
        var ids: [String] { connection.list.sensors.map(\.id) }
    }

    @Test func `a core that answers at once is ready, without a timer`() throws {
        var bench = Bench()
        #expect(bench.sent.map { $0.bytes } == [ControlPacket.lookUp])
        #expect(bench.state == .searching && bench.wake == 5)
        bench.find()
        #expect(bench.state == .connecting)
        #expect(
            bench.sent.dropFirst().map { $0.bytes } == [
                CoreRequest.lookUp("accel").datagram(transaction: 1),
                CoreRequest.lookUp("ambient_light").datagram(transaction: 2),
            ])
        bench.receive(CoreFrames.list("accel", [CoreFrames.accelerometer]))
        #expect(bench.sent.last?.bytes == CoreRequest.attributes(of: CoreFrames.accelerometer).datagram(transaction: 3))
        bench.receive(CoreFrames.attributes(of: CoreFrames.accelerometer))
        #expect(bench.state == .ready && bench.ids == ["accel0"] && bench.wake == nil)
        let sensor = try #require(bench.connection.list.sensors.first)
        #expect(sensor.rate(atLeast: 10) == 12.5 && sensor.rate(atLeast: 20) == 26 && sensor.rate(atLeast: 99) == 52)
    }

    /// What the connection handles, for ``scenarios``.
    private enum Step {
        /// The name service lists the core, or nothing.
        case found, nothing
        case timer
        case failure(Int32)
        case response(UInt16)
        case list(String, [SensorUID])
        case attributes(SensorUID, isAvailable: Bool = true)
        /// Error 6 of the accelerometer.
        case unavailable
    }

    private static let accelerometer = Step.list("accel", [CoreFrames.accelerometer])
    private static let unsupported = CoreState.noSocket(Errno(EAFNOSUPPORT).description)
    private static let reset = CoreState.failed(Errno(ENETRESET).description)

    /// Steps, each with the state after it, the time until the timer fires, and the number of listed sensors.
    private static let scenarios: KeyValuePairs<String, [(Step, CoreState, Double?, Int)]> = [
        "without AF_QIPCRTR another attempt follows late: the module may be loaded by then": [
            (.failure(EAFNOSUPPORT), unsupported, 160, 0), (.timer, unsupported, 5, 0), (.found, .connecting, 5, 0),
        ],
        "another error of the socket opens a new one, with exponential backoff": [
            (.failure(ENETRESET), reset, 1, 0), (.timer, reset, 5, 0), (.failure(ENETRESET), reset, 2, 0),
            (.timer, reset, 5, 0), (.failure(ENETRESET), reset, 4, 0),
        ],
        "a name service that does not answer is asked again, with exponential backoff": [
            (.timer, .noNameService, 15, 0), (.timer, .noNameService, 40, 0), (.timer, .noNameService, 80, 0),
            (.timer, .noNameService, 160, 0), (.timer, .noNameService, 160, 0),
        ],
        "without the service nothing wakes until it appears": [
            (.nothing, .noService, nil, 0), (.found, .connecting, 5, 0),
        ],
        "a core that does not answer is asked again": [
            (.found, .connecting, 5, 0), (.timer, .silent(isAcknowledged: false), 15, 0),
            (.timer, .silent(isAcknowledged: false), 40, 0), (.found, .silent(isAcknowledged: false), 40, 0),
            (.response(0), .silent(isAcknowledged: true), 40, 0), (accelerometer, .silent(isAcknowledged: true), 40, 0),
            (.attributes(CoreFrames.accelerometer), .ready, nil, 1),
        ],
        "refused requests are a state": [
            (.found, .connecting, 5, 0), (.response(94), .connecting, 5, 0), (.timer, .refused(94), 15, 0),
        ],
        "a refused request changes nothing once the accelerometer is listed": [
            (.found, .connecting, 5, 0), (accelerometer, .connecting, 5, 0),
            (.attributes(CoreFrames.accelerometer), .ready, nil, 1), (.response(94), .ready, nil, 1),
        ],
        "without an accelerometer the core is asked again, whatever else it lists": [
            (.found, .connecting, 5, 0), (.list("ambient_light", [CoreFrames.light]), .connecting, 5, 0),
            (.attributes(CoreFrames.light), .connecting, 5, 1), (.list("accel", []), .connecting, 5, 1),
            (.timer, .noSensors, 15, 1), (.timer, .noSensors, 40, 1),
        ],
        "an empty list is waited for": [
            (.found, .connecting, 5, 0), (.list("accel", []), .connecting, 5, 0), (.timer, .noSensors, 15, 0),
            (accelerometer, .silent(isAcknowledged: true), 15, 0),
            (.attributes(CoreFrames.accelerometer), .ready, nil, 1),
        ],
        "a sensor that is not available follows its attributes, and the former list stays until another one arrives": [
            (.found, .connecting, 5, 0), (accelerometer, .connecting, 5, 0),
            (.attributes(CoreFrames.accelerometer, isAvailable: false), .connecting, 5, 1),
            (.timer, .unavailable, 15, 1), (.timer, .unavailable, 40, 1), (.found, .unavailable, 40, 1),
            (accelerometer, .unavailable, 40, 1), (.attributes(CoreFrames.accelerometer), .ready, nil, 1),
            (.unavailable, .connecting, 5, 1),
        ],
    ]

    @Test func `the state and the time until the core is asked again follow what it answers`() {
        for (name, steps) in Self.scenarios {
            var bench = Bench()
            for (index, (step, state, wake, count)) in steps.enumerated() {
                switch step {
                case .found: bench.find()
                case .nothing: bench.control(4)
                case .timer: bench.fire()
                case .failure(let code): bench.perform(bench.connection.failed(Errno(code)))
                case .response(let error): bench.receive(CoreFrames.response(error: error))
                case .list(let type, let sensors): bench.receive(CoreFrames.list(type, sensors))
                case .attributes(let sensor, let isAvailable):
                    bench.receive(CoreFrames.attributes(of: sensor, isAvailable: isAvailable))
                case .unavailable:
                    bench.receive(CoreFrames.report(CoreFrames.accelerometer, (130, CoreFrames.error(6))))
                }
                #expect(bench.state == state && bench.wake == wake && bench.ids.count == count, "\(name): \(index)")
            }
        }
    }

    @Test func `a lost datagram is sent again from another socket`() {
        var bench = Bench()
        bench.find()
        bench.receive(CoreFrames.list("accel", [CoreFrames.accelerometer]))
        bench.receive(CoreFrames.attributes(of: CoreFrames.accelerometer))
        bench.receive(CoreFrames.list("ambient_light", [CoreFrames.light]))
        bench.perform(bench.connection.failed(Errno(EAGAIN)))
        #expect(bench.wake == 5 && bench.ids == ["accel0"])
        for _ in 0..<2 { bench.fire() }
        #expect(bench.opens == 1 && bench.ids == ["accel0"])
        bench.find()
        bench.receive(CoreFrames.list("ambient_light", [CoreFrames.light]))
        #expect(bench.sent.last?.bytes == CoreRequest.attributes(of: CoreFrames.light).datagram(transaction: 7))
        bench.receive(CoreFrames.attributes(of: CoreFrames.light))
        #expect(bench.state == .ready && bench.ids == ["accel0", "ambient_light0"] && bench.wake == nil)
    }

    @Test func `a local service is ignored, and used only with permission`() {
        let local = QRTRAddress(node: 1, port: 17)
        var bench = Bench()
        bench.find(local)
        #expect(bench.state == .onlyLocal && bench.sent.count == 1 && bench.wake == nil)
        bench = Bench(permitsLocal: true)
        bench.find(local)
        #expect(bench.state == .connecting && bench.sent.last?.address == local)
    }

    @Test func `any number of local services does not hide the core`() {
        var bench = Bench()
        let local = (0..<40).map { QRTRAddress(node: 1, port: 20_000 + $0) }
        for server in local { bench.control(4, server) }
        bench.find()
        #expect(bench.state == .connecting && bench.sent.last?.address == CoreFrames.server)
        bench.control(5, CoreFrames.server)
        for server in local { bench.control(4, server) }
        bench.control(4)
        #expect(bench.state == .onlyLocal)
        for server in local { bench.control(5, server) }
        #expect(bench.state == .noService)
        bench.list()
        #expect(bench.state == .ready)
    }

    @Test func `known nodes are preferred, and another one is used with a note`() {
        let (modem, adsp) = (QRTRAddress(node: 0, port: 3), QRTRAddress(node: 5, port: 4))
        var bench = Bench()
        for server in [modem, adsp, CoreFrames.server] { bench.control(4, server) }
        bench.control(4)
        #expect(bench.sent.last?.address == CoreFrames.server && bench.notes.isEmpty)
        bench.control(5, CoreFrames.server)
        // From another socket: the name service lists the others again.
        for server in [modem, adsp] { bench.control(4, server) }
        bench.control(4)
        #expect(bench.opens == 1 && bench.sent.last?.address == adsp)
        bench.control(5, adsp)
        bench.find(modem)
        #expect(bench.sent.last?.address == modem && bench.notes.count == 1)
        bench.control(4, adsp)
        #expect(bench.sent.last?.address == adsp)
    }

    @Test func `a sensor that leaves the list is forgotten`() {
        var bench = Bench()
        bench.list()
        bench.receive(CoreFrames.list("accel", [CoreFrames.light]))
        bench.receive(CoreFrames.attributes(of: CoreFrames.accelerometer))
        #expect(bench.ids.isEmpty)
        let sent = bench.sent.count
        bench.receive(CoreFrames.list("accel", [CoreFrames.accelerometer]))
        #expect(bench.sent.count == sent + 1 && bench.ids.isEmpty)
        bench.receive(CoreFrames.attributes(of: CoreFrames.accelerometer))
        #expect(bench.state == .ready && bench.ids == ["accel0"])
    }

    @Test func `a core that is removed takes its sensors along, and is used again when it returns`() {
        var bench = Bench()
        bench.list()
        let changes = bench.changes
        bench.control(5, CoreFrames.server)
        #expect(bench.state == .noService && bench.ids.isEmpty && bench.changes == changes + 1)
        #expect(bench.connection.list.restarts == 1 && bench.opens == 1 && bench.wake == 5)
        bench.control(4)
        #expect(bench.state == .noService && bench.wake == nil)
        bench.list()
        #expect(bench.state == .ready && bench.ids == ["accel0"])
    }

    @Test func `datagrams of other sockets are dropped, and so is garbage`() {
        var bench = Bench()
        bench.list()
        let stranger = QRTRAddress(node: 1, port: 20_000)
        let sent = bench.sent.count
        bench.receive(CoreFrames.list("accel", []), from: stranger)
        bench.receive(CoreFrames.control(5, CoreFrames.server), from: stranger)
        bench.receive(CoreFrames.control(4)[..<7], from: .control(of: 1))
        bench.receive([4, 1, 2])
        bench.receive(CoreFrames.report(CoreFrames.accelerometer, (128, CoreFrames.floats([1]))))
        // Not a listed sensor.
        bench.receive(CoreFrames.attributes(of: CoreFrames.light))
        #expect(bench.state == .ready && bench.ids == ["accel0"] && bench.sent.count == sent)
    }

    @Test func `sensors of a type are in the order of their hardware ids, each with an id of its own`() {
        var bench = Bench()
        bench.find()
        let third = SensorUID(low: 1, high: 1)
        bench.receive(CoreFrames.list("accel", [CoreFrames.light, third, CoreFrames.accelerometer]))
        bench.receive(CoreFrames.attributes(of: CoreFrames.light, "b", hardwareID: 4))
        bench.receive(CoreFrames.attributes(of: CoreFrames.accelerometer, "a"))
        bench.receive(CoreFrames.attributes(of: third, "c", hardwareID: 4))
        #expect(
            bench.connection.list.sensors.map { "\($0.id) \($0.attributes.name)" } == [
                "accel0 a", "accel4 c", "accel5 b",
            ])
    }
}
