// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensors
import Testing
import Varlink
import VarlinkServer

@testable import OrientationDaemon

@Suite struct LidAngleTests {
    private let bench: StateBench

    init() throws { bench = try StateBench(hasHinge: true) }

    private func monitor(_ client: Caller) -> [Effect] {
        bench.call("Orientation.Monitor", mode: .more, from: client)
    }

    @discardableResult private func fold(
        _ angle: Int?, isTablet: Bool, isAmbiguous: Bool = false, isCertain: Bool = false
    ) -> [Effect] {
        let posture = LidPosture(
            isTablet: isTablet, angle: angle, isAmbiguous: isAmbiguous, certainMode: isCertain ? isTablet : nil)
        return bench.send(.sensor(.hinge, run: 1, .read(.lid(posture))))
    }

    private func fields(_ message: String?) -> [String] {
        let parts = message?.split { "{},".contains($0) } ?? []
        return parts.filter { ["tablet", "lidAngle", "sequence"].contains(where: $0.contains) }
            .map { String($0.filter { $0 != "\"" }) }.sorted()
    }

    @Test func `a subscriber starts the hinge sensor, and all receive the angle`() throws {
        let (one, two) = (bench.client(), bench.client(isTrusted: true))
        #expect(monitor(one).ambient == ["start hinge 1"])
        #expect(monitor(two).ambient.isEmpty)
        bench.startSensor()
        let effects = fold(90, isTablet: false)
        for client in [one, two] {
            #expect(fields(effects.messages(to: client).last) == ["lidAngle:90", "sequence:4", "tabletMode:false"])
        }
        #expect(fields(fold(270, isTablet: true).messages(to: one).first).contains("tabletMode:true"))
        let turned = bench.decide(.landscapeLeft)
        #expect(fields(turned.messages(to: two).first) == ["lidAngle:270", "sequence:6", "tabletMode:true"])
        #expect(bench.send(.client(.left(one.client))).ambient.isEmpty)
        #expect(bench.send(.client(.left(two.client))).ambient == ["stop hinge"])
    }

    @Test func `a tablet switch of the kernel has priority until the lid angle proves the opposite`() throws {
        let client = bench.client()
        _ = monitor(client)
        bench.startSensor()
        fold(100, isTablet: false)
        let effects = bench.send(.tabletSwitchChanged(true))
        #expect(effects.ambient.isEmpty && effects.logs.isEmpty)
        #expect(fields(effects.messages(to: client).last) == ["lidAngle:100", "sequence:5", "tabletMode:true"])
        let proven = fold(100, isTablet: false, isCertain: true)
        #expect(
            fields(proven.messages(to: client).last)
                == ["lidAngle:100", "sequence:6", "tabletMode:false", "tabletSwitchOverruled:true"])
        let text = "the tablet switch says tablet at a lid angle of 100°, which overrules it"
        #expect(proven.logs == [text])
        // Again, which is not logged; the other value is.
        #expect(fields(bench.send(.tabletSwitchChanged(false)).messages(to: client).last).contains("tabletMode:false"))
        #expect(bench.send(.tabletSwitchChanged(true)).logs.isEmpty)
        fold(300, isTablet: true, isCertain: true)
        let other = bench.send(.tabletSwitchChanged(false))
        #expect(other.logs == ["the tablet switch says laptop at a lid angle of 300°, which overrules it"])
        // Between both, and without a sensor, the switch decides.
        #expect(fields(fold(195, isTablet: true).messages(to: client).last).contains("tabletMode:false"))
        fold(300, isTablet: true, isCertain: true)
        let failed = bench.send(.sensor(.hinge, run: 1, .failed(sensor: "lid", .failed("broken"))))
        #expect(fields(failed.messages(to: client).last).contains("tabletMode:false"))
    }

    @Test func `the list of sensors says that the hinge overrules the switch`() throws {
        _ = monitor(bench.client())
        bench.send(.tabletSwitchChanged(true))
        fold(100, isTablet: false, isCertain: true)
        let client = bench.client()
        let request = bench.call("Orientation.ListAmbientSensors", from: client).scans(of: .ambient).first?.request
        let listed = SensorEvent.scanned(request: try #require(request), SensorList([.chosen(.hinge)]))
        let reply = bench.send(.sensorThread(.ambient, listed)).messages(to: client).first
        let text = "in_raw; the tablet switch says tablet at a lid angle of 100°, which overrules it"
        #expect(reply?.contains(text) == true)
    }

    @Test func `a sensor that fails has no angle`() throws {
        let client = bench.client()
        _ = monitor(client)
        fold(270, isTablet: true)
        let effects = bench.send(.sensor(.hinge, run: 1, .failed(sensor: "lid", .failed("broken"))))
        #expect(fields(effects.messages(to: client).last) == ["sequence:4"])
    }

    @Test func `a switch that is created or removed does not retry a failed sensor, a new device does`() throws {
        _ = monitor(bench.client())
        bench.send(.sensor(.hinge, run: 1, .failed(sensor: "lid", .failed("broken"))))
        #expect(bench.send(.ambientDevicesChanged).ambient.isEmpty)
        #expect(bench.send(.timer(.sensor(.hinge))).ambient == ["start hinge 2 not lid"])
        bench.send(.sensor(.hinge, run: 2, .failed(sensor: "pair", .failed("broken"))))
        #expect(bench.send(.devicesChanged).ambient == ["start hinge 3"])
    }

    @Test func `Get waits for the lid angle, or until there is none`() throws {
        let (one, two) = (bench.client(), bench.client())
        #expect(bench.call("Orientation.Get", from: one).ambient == ["start hinge 1"])
        #expect(bench.startSensor().messages(to: one).isEmpty)
        #expect(fields(fold(135, isTablet: false).messages(to: one).first).contains("lidAngle:135"))
        bench.send(.sensor(.hinge, run: 1, .failed(sensor: nil, .noDevice("none"))))
        #expect(bench.call("Orientation.Get", from: two).messages(to: two).count == 1)
        bench.now += PendingCalls.timeout
        #expect(bench.send(.timer(.pendingCalls)).messages(to: one).isEmpty)
    }

    @Test(arguments: [
        (180, false, false, "tabletMode:false"), (180, false, true, nil), (220, false, true, nil),
        (220, true, false, "tabletMode:true"),
    ])
    func `Get without a subscriber has the tablet mode where the angle alone decides it`(
        angle: Int, isTablet: Bool, isAmbiguous: Bool, mode: String?
    ) {
        let client = bench.client()
        bench.call("Orientation.Get", from: client)
        bench.startSensor()
        let folded = fold(angle, isTablet: isTablet, isAmbiguous: isAmbiguous)
        let reply = fields(folded.messages(to: client).first)
        #expect(reply == ["lidAngle:\(angle)", "sequence:4"] + [mode].compactMap(\.self))
    }

    @Test func `Get beside a subscriber has the tablet mode that the subscriber has`() {
        let (subscriber, client) = (bench.client(), bench.client())
        _ = monitor(subscriber)
        bench.startSensor()
        fold(270, isTablet: true)
        fold(195, isTablet: true)
        let get = { fields(bench.call("Orientation.Get", from: client).messages(to: client).first) }
        #expect(get().contains("tabletMode:true"))
        fold(175, isTablet: false)
        fold(195, isTablet: false, isAmbiguous: true)
        #expect(get().contains("tabletMode:false"))
        // That the angle now decides alone is no change for a subscriber.
        #expect(fold(195, isTablet: false).messages(to: subscriber).isEmpty)
        // A switch of the kernel decides.
        bench.send(.tabletSwitchChanged(false))
        bench.send(.client(.left(subscriber.client)))
        #expect(get().contains("tabletMode:false"))
    }

    @Test func `a subscriber to the lock measures the lid angle only while there is no tablet switch`() {
        bench.call("Orientation.Monitor", ["sensor": false], mode: .more, from: bench.client())
        fold(100, isTablet: false)
        #expect(bench.send(.tabletSwitchChanged(true)).ambient == ["stop hinge"])
        #expect(bench.send(.tabletSwitchChanged(nil)).ambient == ["start hinge 2"])
    }

    @Test func `Get without a lid angle is answered after the timeout, and the sensor stops`() throws {
        let client = bench.client()
        bench.call("Orientation.Get", from: client)
        bench.startSensor()
        bench.now += PendingCalls.timeout
        let effects = bench.send(.timer(.pendingCalls))
        #expect(effects.messages(to: client).count == 1)
        #expect(effects.ambient == ["stop hinge"])
    }

    @Test func `the first state of a subscriber waits for the lid angle, and then says whether it is a tablet`() throws
    {
        let client = bench.client()
        #expect(monitor(client).messages(to: client).isEmpty)
        #expect(bench.startSensor().messages(to: client).isEmpty)
        #expect(fold(270, isTablet: true).messages(to: client).map { fields($0).contains("tabletMode:true") } == [true])
        // Known by now.
        let second = bench.client()
        #expect(fields(monitor(second).messages(to: second).first).contains("tabletMode:true"))
    }

    @Test func `the first state waits neither for the orientation nor for a lid angle that there is none of`() throws {
        let (one, two) = (bench.client(), bench.client())
        _ = monitor(one)
        let failed = bench.send(.sensor(.hinge, run: 1, .failed(sensor: nil, .noDevice("none"))))
        #expect(failed.messages(to: one).count == 1)
        #expect(monitor(two).messages(to: two).count == 1)
    }

    @Test func `the first state waits for a tablet switch that appears instead of the lid angle`() throws {
        let client = bench.client()
        _ = monitor(client)
        let messages = bench.send(.tabletSwitchChanged(true)).messages(to: client)
        #expect(messages.map { fields($0).contains("tabletMode:true") } == [true])
    }

    @Test func `the first state is sent after the timeout without a lid angle, and the sensor stays on`() throws {
        let client = bench.client()
        #expect(monitor(client).timers[.pendingCalls] == PendingCalls.timeout)
        bench.now += PendingCalls.timeout
        let effects = bench.send(.timer(.pendingCalls))
        #expect(effects.messages(to: client).count == 1 && effects.ambient.isEmpty)
        #expect(fields(fold(270, isTablet: true).messages(to: client).first).contains("tabletMode:true"))
    }
}
