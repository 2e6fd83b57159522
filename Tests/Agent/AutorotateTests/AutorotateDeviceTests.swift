// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate

@Suite struct AutorotateDeviceTests {
    private var bench = PolicyBench.started()

    // MARK: Following the device

    @Test(arguments: [
        (DeviceOrientation.portrait, OutputTransform.rotated90), (.landscapeRight, .rotated180),
        (.portraitUpsideDown, .rotated270),
    ])
    mutating func `the display has the transform of the edge that is up`(
        orientation: DeviceOrientation, transform: OutputTransform
    ) {
        bench.turn(orientation)
        #expect(bench.requested == transform)
        bench.accept()
        #expect(bench.transform == transform)
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.transform == .normal)
    }

    @Test(arguments: [true, false])
    func `the daemon is followed only while an output can rotate`(isInternal: Bool) {
        var bench = PolicyBench.started(outputs: isInternal ? [PolicyBench.panel] : [])
        #expect(bench.effects.contains(.follow(.device)) == isInternal)
        bench.outputs = [PolicyBench.panel]
        bench.outputs[0].isEnabled = false
        bench.start()
        #expect(bench.effects.contains(.follow(.nothing)) == isInternal)
        #expect(bench.reports == [.disabled("eDP-1")])
    }

    @Test mutating func `the sensor is not needed while the rotation lock is on, and nothing while the output is off`()
    {
        bench.turnAndAccept(.portrait)
        bench.turn(.portrait, lock: .portrait)
        #expect(bench.effects.last == .follow(.lock))
        // Without the sensor.
        bench.turn(.unknown, lock: .portrait)
        #expect(bench.effects.isEmpty && bench.transform == .rotated90)
        bench.handle(.display(.darkOutputs(["eDP-1"])))
        #expect(bench.effects == [.follow(.nothing)])
        // It is still locked, as far as is known.
        bench.handle(.display(.darkOutputs([])))
        #expect(bench.effects == [.follow(.lock)])
        bench.turn(.unknown)
        #expect(bench.effects.contains(.follow(.device)) && bench.applied == nil)
        bench.turn(.landscapeRight)
        #expect(bench.requested == .rotated180)
        bench.accept()
        bench.handle(.display(.darkOutputs(["HDMI-A-1"])))
        #expect(bench.effects.isEmpty)
    }

    @Test func `of outputs that turn as one body, one that shows a picture needs the sensor`() {
        var bench = PolicyBench.started(
            Settings(output: "eDP-1,HDMI-A-1"), outputs: [PolicyBench.panel, PolicyBench.monitor])
        bench.handle(.display(.darkOutputs(["eDP-1"])))
        #expect(bench.effects.isEmpty)
        bench.handle(.display(.darkOutputs(["eDP-1", "HDMI-A-1"])))
        #expect(bench.effects == [.follow(.nothing)])
    }

    @Test mutating func `a device that was turned while its output was off is right with the first state`() {
        bench.turnAndAccept(.portrait)
        bench.handle(.display(.darkOutputs(["eDP-1"])))
        bench.handle(.display(.darkOutputs([])))
        #expect(bench.effects == [.follow(.device)])
        bench.turn(.portraitUpsideDown)
        #expect(bench.requested == .rotated270)
        bench.accept()
        bench.handle(.display(.darkOutputs(["eDP-1"])))
        bench.handle(.displayLost(reason: "closed"))
        bench.start()
        #expect(bench.effects.contains(.follow(.device)))
    }

    @Test mutating func `a flat or unknown device keeps the rotation`() {
        bench.turnAndAccept(.portrait)
        for orientation in [DeviceOrientation.faceUp, .faceDown, .unknown] {
            bench.turn(orientation)
            #expect(bench.applied == nil)
        }
        #expect(bench.transform == .rotated90)
    }

    @Test mutating func `a turn while a configuration is pending is applied after it`() {
        bench.turn(.portrait)
        let first = bench.applied
        bench.turn(.landscapeRight)
        #expect(bench.applied == nil)
        bench.outputs = first ?? []
        bench.handle(.display(.outputs(bench.outputs)))
        #expect(bench.applied == nil)
        bench.handle(.display(.applied))
        #expect(bench.requested == .rotated180)
        bench.accept()
        #expect(bench.transform == .rotated180)
    }

    @Test func `other outputs keep mode, scale and transform, and move beside the rotated one`() {
        var monitor = PolicyBench.monitor
        monitor.transform = .rotated90
        monitor.scale = 2
        var bench = PolicyBench.started(outputs: [PolicyBench.panel, monitor])
        bench.turnAndAccept(.portrait)
        monitor.position.x = 1080
        #expect(bench.outputs[1] == monitor)
    }

    // MARK: Lock, orientations

    @Test mutating func `the rotation lock turns the display to its edge, and holds it there`() {
        bench.turn(.landscapeLeft, lock: .portrait)
        #expect(bench.requested == .rotated90)
        bench.accept()
        bench.turn(.landscapeRight, lock: .portrait)
        #expect(bench.applied == nil)
        bench.turn(.landscapeRight)
        #expect(bench.requested == .rotated180)
    }

    @Test mutating func `a lock without an edge keeps the rotation`() {
        bench.turn(.portrait, isLocked: true)
        #expect(bench.applied == nil)
    }

    // MARK: Tablet mode

    @Test
    func `in laptop mode the display does not rotate, and leaving tablet mode restores the former rotation once`() {
        var bench = PolicyBench()
        bench.outputs[0].transform = .rotated180
        bench.start()
        bench.turn(.portrait, tabletMode: false)
        #expect(bench.applied == nil)
        bench.turnAndAccept(.portrait, tabletMode: true)
        #expect(bench.transform == .rotated90)
        bench.turnAndAccept(.landscapeLeft, tabletMode: true)
        bench.turn(.portrait, tabletMode: false)
        #expect(bench.requested == .rotated180)
        bench.accept()
        bench.setByHand(.normal)
        bench.turn(.portraitUpsideDown, tabletMode: false)
        #expect(bench.applied == nil)
        bench.turn(.portraitUpsideDown, tabletMode: true)
        #expect(bench.requested == .rotated270)
    }

    @Test
    func `with --when always the display rotates in laptop mode; with never it does not, and no daemon is needed`() {
        var settings = Settings()
        settings.when = .always
        var bench = PolicyBench.started(settings)
        bench.turn(.portrait, tabletMode: false)
        #expect(bench.requested == .rotated90)
        settings.when = .never
        let never = PolicyBench.started(settings)
        #expect(!never.effects.contains(.follow(.device)))
        #expect(never.effects.contains(.alignInput(PolicyBench.panel)))
    }

    @Test mutating func `in laptop mode a new monitor does not rotate the display`() {
        bench.turnAndAccept(.portrait, tabletMode: true)
        bench.turnAndAccept(.portrait, tabletMode: false)
        #expect(bench.transform == .normal)
        bench.setByHand(.rotated180)
        bench.outputs.append(PolicyBench.monitor)
        bench.start()
        #expect(bench.applied == nil)
    }

    @Test
    func `a hinge that bounces while a configuration is pending restores the rotation from before tablet mode`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait, tabletMode: true)
        bench.turn(.portrait, tabletMode: false)
        let restoring = bench.applied ?? []
        bench.turn(.portrait, tabletMode: true)
        bench.outputs = restoring
        bench.handle(.display(.outputs(restoring)))
        bench.handle(.display(.applied))
        #expect(bench.requested == .rotated90)
        bench.accept()
        bench.turnAndAccept(.portrait, tabletMode: false)
        #expect(bench.transform == .normal)
    }

    @Test mutating func `entering tablet mode while flat ends a rotation by hand with the next edge`() {
        bench.turnAndAccept(.landscapeLeft, tabletMode: true)
        bench.turn(.landscapeLeft, tabletMode: false)
        bench.setByHand(.rotated180)
        bench.turn(.faceUp, tabletMode: true)
        #expect(bench.applied == nil)
        bench.turn(.landscapeLeft, tabletMode: true)
        #expect(bench.requested == .normal)
    }

    @Test
    func `a restore that failed ends with a rotation by hand in laptop mode, and is tried again with new outputs`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait, tabletMode: true)
        bench.turn(.portrait, tabletMode: false)
        for _ in 1...AutorotatePolicy.maximumAttempts {
            bench.handle(.display(.failed("busy")))
            bench.handle(.timer(.retry))
        }
        #expect(bench.applied == nil)
        bench.outputs.append(PolicyBench.monitor)
        bench.start()
        #expect(bench.requested == .normal)
        bench.handle(.display(.failed("busy")))
        bench.setByHand(.rotated180)
        bench.handle(.timer(.retry))
        #expect(bench.applied == nil)
        bench.outputs.removeLast()
        bench.start()
        #expect(bench.applied == nil)
        bench.turn(.landscapeLeft, tabletMode: true)
        #expect(bench.requested == .normal)
    }

    // MARK: The state of --exec

    /// The orientations of the state that was applied and of the one before, in the last call.
    private func command(_ bench: PolicyBench) -> [DeviceOrientation?]? {
        bench.effects.compactMap { effect in
            if case .runCommand(let state, let previous, _, _) = effect {
                [state.orientation, previous?.orientation]
            } else {
                nil
            }
        }.first
    }

    @Test
    mutating func `the command runs when a rotation is in effect, with the state that was applied, not the newest one`()
    {
        bench.turn(.portrait)
        #expect(command(bench) == nil)
        let first = bench.applied ?? []
        bench.turn(.landscapeRight)
        bench.outputs = first
        bench.handle(.display(.outputs(first)))
        bench.handle(.display(.applied))
        #expect(command(bench) == [.portrait, nil])
        bench.accept()
        #expect(command(bench) == [.landscapeRight, .portrait])
    }

    @Test mutating func `a later attempt gives the command the newest state that asked for the transform`() {
        bench.turn(.portrait)
        bench.turn(.landscapeLeft, lock: .portrait)
        bench.turn(.faceUp)
        bench.handle(.display(.failed("busy")))
        bench.handle(.timer(.retry))
        bench.accept()
        #expect(command(bench) == [.landscapeLeft, nil])
    }

    // MARK: The explanation without apps

    @Test func `the first orientation of the device is explained, also if --orientations excludes it`() {
        var bench = PolicyBench.started(Settings(orientations: [.portraitUpsideDown]))
        bench.turn(.portrait)
        #expect(bench.applied == nil)
        #expect(
            bench.sentence.hasPrefix(
                "The display stays in landscape-primary because the orientation of the device became known"))
        #expect(bench.sentence.hasSuffix("--orientations portrait-secondary does not allow portrait-primary."))
    }

    @Test mutating func `the explanation says that the daemon is not connected, until it is`() {
        bench.turnAndAccept(.portrait)
        bench.handle(.daemonLost(reason: "closed"))
        #expect(bench.sentence.hasSuffix("; orientationd is not connected."))
        bench.handle(.daemonRefused(reason: "no permission"))
        #expect(bench.policy.daemon == .refused && bench.sentence.hasSuffix("; orientationd is not connected."))
        bench.turnAndAccept(.landscapeLeft)
        #expect(!bench.sentence.contains("connected"))
    }
}
