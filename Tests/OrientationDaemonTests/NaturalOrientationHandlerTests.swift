// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Testing
import Varlink

@testable import OrientationDaemon

@Suite struct NaturalOrientationHandlerTests {
    private static let wide = DisplayConnector(
        name: "card0-eDP-1", isConnected: true, isEnabled: true, mode: "1920x1080")
    private static let tall = DisplayConnector(
        name: "card0-eDP-1", isConnected: true, isEnabled: true, mode: "1080x1920")

    private func sensor(natural: Edge? = nil, isLocal: Bool = true) -> SensorDescription {
        var sensor = SensorDescription(
            id: "iio:0", name: "chip", natural: natural, naturalSource: natural.map { _ in "udev" })
        sensor.isLocal = isLocal
        return sensor
    }

    private func opened(_ sensor: SensorDescription) -> SensorEvent {
        .opened(run: 1, sensor, supportsBackpressure: false)
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

    @Test func `the panel does not apply to a simulation, a recording or a sensor on the network`() {
        var handler = NaturalOrientationHandler(option: nil, mayUsePanel: true)
        _ = handler.handle([Self.wide])
        #expect(raised(handler.handle(opened(sensor(isLocal: false)))) == [.portrait])
        #expect(handler.current == .init(edge: .portrait, source: "default"))
        #expect(raised(handler.handle(opened(sensor(natural: .landscapeLeft, isLocal: false)))) == [.landscapeLeft])
        #expect(raised(handler.handle(opened(sensor()))) == [])
        #expect(NaturalOrientationHandler(option: nil, mayUsePanel: false).current.source == "default")
    }

    @Test func `before the sensor is opened, what its source says counts`() {
        let fake = sensor(natural: .landscapeLeft, isLocal: false)
        let handler = NaturalOrientationHandler(option: nil, expected: fake, mayUsePanel: false)
        #expect(handler.current == .init(edge: .landscapeLeft, source: "udev"))
        var board = NaturalOrientationHandler(option: nil, expected: sensor(isLocal: false), mayUsePanel: true)
        #expect(raised(board.handle([Self.wide])) == [] && board.current.edge == .portrait)
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
        let client = bench.client()
        bench.call("Orientation.Monitor", mode: .more, from: client)
        var chip = sensor()
        chip.isLocal = true
        bench.send(.sensorThread(opened(chip)))
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
