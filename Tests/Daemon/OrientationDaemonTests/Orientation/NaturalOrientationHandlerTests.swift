// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

@Suite struct NaturalOrientationHandlerTests {
    private static let wide = connector("1920x1080")
    private static let tall = connector("1080x1920")

    private static func connector(_ mode: String, name: String = "eDP-1", enabled: Bool = true) -> DisplayConnector {
        DisplayConnector(
            name: "card0-\(name)", isConnected: true, isEnabled: enabled, mode: DisplayMode(mode))
    }

    private func sensor(natural: Edge? = nil, isHardware: Bool = true) -> SensorDescription {
        var sensor = SensorDescription(
            id: "iio:0", name: "chip", natural: natural, naturalSource: natural.map { _ in "udev" })
        sensor.isHardware = isHardware
        return sensor
    }

    private func opened(_ sensor: SensorDescription) -> SensorEvent {
        .sensor(.accelerometer, run: 1, .opened(sensor))
    }

    private func raised(_ effects: [Effect]) -> [Edge] {
        effects.compactMap { if case .raise(.naturalChanged(let edge)) = $0 { edge } else { nil } }
    }

    @Test func `the option comes first, then the sensor, then the panel, then portrait`() {
        var handler = NaturalOrientationHandler(option: nil, mayUsePanel: true)
        #expect(handler.current == .init(edge: .portrait, source: "default; display not read yet"))
        #expect(raised(handler.handle([Self.wide])) == [.landscapeLeft])
        #expect(handler.current == .init(edge: .landscapeLeft, source: "display card0-eDP-1, 1920x1080"))
        #expect(raised(handler.handle(opened(sensor()))) == [])
        #expect(raised(handler.handle(opened(sensor(natural: .portrait)))) == [.portrait])
        #expect(handler.current == .init(edge: .portrait, source: "udev"))
        var forced = NaturalOrientationHandler(option: .landscapeLeft, mayUsePanel: true)
        #expect(!forced.mayUsePanel)
        #expect(raised(forced.handle([Self.tall]) + forced.handle(opened(sensor(natural: .portrait)))) == [])
        #expect(forced.current == .init(edge: .landscapeLeft, source: "--natural-orientation"))
    }

    @Test func `the panel does not apply to a simulation or a recording`() {
        var handler = NaturalOrientationHandler(option: nil, mayUsePanel: true)
        _ = handler.handle([Self.wide])
        #expect(raised(handler.handle(opened(sensor(isHardware: false)))) == [.portrait])
        #expect(handler.current == .init(edge: .portrait, source: "default"))
        #expect(raised(handler.handle(opened(sensor(natural: .landscapeLeft, isHardware: false)))) == [.landscapeLeft])
        #expect(raised(handler.handle(opened(sensor()))) == [])
        #expect(NaturalOrientationHandler(option: nil, mayUsePanel: false).current.source == "default")
    }

    @Test func `before the sensor is opened, what its source says counts`() {
        let fake = sensor(natural: .landscapeLeft, isHardware: false)
        let handler = NaturalOrientationHandler(option: nil, expected: fake, mayUsePanel: false)
        #expect(handler.current == .init(edge: .landscapeLeft, source: "udev"))
        var replay = NaturalOrientationHandler(option: nil, expected: sensor(isHardware: false), mayUsePanel: true)
        #expect(raised(replay.handle([Self.wide])) == [] && replay.current.edge == .portrait)
    }

    @Test func `a listed sensor has the natural orientation that it would give the device`() {
        var handler = NaturalOrientationHandler(option: nil, mayUsePanel: true)
        _ = handler.handle([Self.wide])
        let listed = handler.described(sensor())
        #expect(listed.natural == .landscapeLeft && listed.naturalSource == "display card0-eDP-1, 1920x1080")
        let forced = handler.described(sensor(natural: .portrait))
        #expect(forced.natural == .portrait && forced.naturalSource == "udev")
    }

    @Test func `a panel whose mode is read later renames the state, once for all clients`() throws {
        let bench = try StateBench(lock: .on(.left))
        let client = bench.subscriber()
        var chip = sensor()
        chip.isHardware = true
        bench.send(.sensorThread(.accelerometer, opened(chip)))
        bench.decide(.landscapeRight)
        let effects = bench.send(.connectorsRead([Self.wide]))
        let message = try #require(effects.messages(to: client).first)
        #expect(effects.messages(to: client).count == 1)
        for part in [
            #""orientation":"portrait""#, #""lastEdge":"portrait""#, #""lockedTo":"portrait""#, #""rotation":90"#,
            #""natural":"landscapeLeft""#,
        ] { #expect(message.contains(part)) }
        #expect(bench.send(.connectorsRead([Self.wide])).messages(to: client).isEmpty)
        #expect(bench.send(.connectorsRead([])).messages(to: client).first?.contains(#""rotation":90"#) == true)
    }

    @Test func `the panel is read at each start of the sensor, after a change of a display, and on reload`() throws {
        let bench = try StateBench()
        let reads = { (effects: [Effect]) in
            effects.count { if case .readConnectors = $0 { true } else { false } }
        }
        #expect(reads(bench.call("Orientation.Monitor", mode: .more, from: bench.client())) == 1)
        bench.startSensor()
        #expect(reads(bench.send(.displaysChanged)) == 1)
        #expect(reads(bench.send(.woke)) == 1)
        #expect(reads(bench.send(.reload)) >= 1)
    }

    /// The number of lookups, and the seconds until the next one: nil if the timer is unchanged, negative if it is
    /// stopped.
    private struct Lookups: Equatable {
        let count: Int
        let after: Double?
    }

    private func lookups(_ effects: [Effect]) -> Lookups {
        Lookups(
            count: effects.count { if case .readConnectors = $0 { true } else { false } },
            after: effects.timers[.displayRead])
    }

    @Test func `a storm of changed displays causes few lookups, and the last shape wins`() throws {
        let bench = try StateBench()
        let client = bench.subscriber()
        var chip = sensor()
        chip.isHardware = true
        bench.send(.sensorThread(.accelerometer, opened(chip)))
        bench.decide(.portrait)
        var states = 0
        var due: Double?
        var isWide = false
        // What is read is the shape at that time.
        let read = { (effects: [Effect]) in
            let lookups = lookups(effects)
            if let after = lookups.after { due = after < 0 ? nil : bench.now + after }
            for _ in 0..<lookups.count {
                states += bench.send(.connectorsRead([isWide ? Self.wide : Self.tall])).messages(to: client).count
            }
        }
        for flip in 0..<200 {
            isWide = flip % 2 == 1
            read(bench.send(.displaysChanged))
            bench.now += 0.01
            if let time = due, bench.now >= time { read(bench.send(.timer(.displayRead))) }
        }
        #expect(states <= NaturalOrientationHandler.burst + 2)
        if let time = due {
            bench.now = time
            read(bench.send(.timer(.displayRead)))
        }
        #expect(due == nil)
        let status = bench.call("Orientation.Get", from: client).messages(to: client).first
        #expect(status?.contains(#""natural":"landscapeLeft""#) == true)
    }

    @Test func `panels of different shape are logged once for each pair, when the panel is used`() {
        var handler = NaturalOrientationHandler(option: nil, mayUsePanel: true)
        let (first, second) = (Self.wide, Self.connector("1080x1920", name: "eDP-2"))
        #expect(handler.handle([first, second]).logs.count == 1)
        let warning = """
            panels of different shape: card0-eDP-1, 1920x1080, and card0-eDP-2, 1080x1920; using card0-eDP-1; \
            set ORIENTATIOND_NATURAL_ORIENTATION to choose
            """
        #expect(handler.handle(opened(sensor())).logs == [warning])
        // Blanked, the other one, both.
        let blanked = Self.connector("1920x1080", enabled: false)
        for connectors in [[blanked, second], [first], [first, second]] {
            #expect(handler.handle(connectors).logs.allSatisfy { !$0.contains("different") })
        }
        let third = Self.connector("1200x1920", name: "DSI-1")
        let warnings = handler.handle([first, third]).logs
        #expect(warnings.contains { $0.contains("card0-eDP-1, 1920x1080, and card0-DSI-1, 1200x1920") })
    }

    @Test func `panels of different shape are not logged while the sensor or the option decides`() {
        let panels = [Self.wide, Self.connector("1080x1920", name: "eDP-2")]
        var handler = NaturalOrientationHandler(option: nil, mayUsePanel: true)
        let effects =
            handler.handle(opened(sensor(natural: .portrait))) + handler.handle(panels)
            + handler.handle(opened(sensor(isHardware: false)))
        #expect(effects.logs.isEmpty)
        #expect(handler.handle(opened(sensor())).logs.count == 2)
        var forced = NaturalOrientationHandler(option: .portrait, mayUsePanel: true)
        #expect((forced.handle(opened(sensor())) + forced.handle(panels)).logs.isEmpty)
    }

    @Test func `a lock is set and stored as an edge of the panel`() throws {
        let bench = try StateBench(natural: .landscapeLeft)
        let caller = bench.client(isTrusted: true)
        let effects = bench.call("Control.SetRotationLock", ["locked": true, "edge": "portrait"], from: caller)
        let stored = effects.compactMap { if case .storeLock(let lock) = $0 { lock } else { nil } }
        #expect(stored == [.on(.left)])
        bench.call("Orientation.Monitor", mode: .more, from: bench.client())
        bench.startSensor(.landscapeLeft)
        bench.send(.lockStored(.on(.left), failure: nil))
        let current = bench.call("Control.SetRotationLock", ["locked": true], from: caller)
        let next = current.compactMap { if case .storeLock(let lock) = $0 { lock } else { nil } }
        #expect(next == [.on(.right)])
    }
}
