// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing
import VarlinkServer

@testable import OrientationDaemon
@testable import Sensors

@Suite struct StateKeeperTests {
    private var keeper = StateKeeper(instance: "run")

    private func attitude(_ orientation: DeviceOrientation, tilt: Double = 0, timestamp: Int64 = 1) -> ClassifiedSample
    {
        ClassifiedSample(
            orientation: orientation, lastEdge: Edge(orientation), tilt: tilt, disturbance: 0.5, timestamp: timestamp)
    }

    @Test mutating func `a decision is a change and removes the reason`() {
        #expect(keeper.apply(.starting) == true)
        #expect(keeper.apply(.decided(attitude(.portrait), sensor: "chip")) == true)
        #expect(keeper.state.orientation == .portrait)
        #expect(keeper.state.lastEdge == .portrait)
        #expect(keeper.state.sensor == "chip")
        #expect(keeper.state.reason == nil)
        #expect(keeper.state.sequence == 3)
    }

    @Test mutating func `readings without gravity are the reason of a new sensor, and no change after a failure`() {
        _ = keeper.apply(.starting)
        #expect(keeper.apply(.withoutGravity(reason: "no gravity")) == true)
        #expect(keeper.state.reason == "no gravity")
        _ = keeper.apply(.unavailable(reason: "no gravity: 30"))
        #expect(keeper.apply(.withoutGravity(reason: "no gravity: 31")) == false)
        #expect(keeper.state.reason == "no gravity: 30")
    }

    @Test mutating func `tilt, disturbance and timestamp alone are not a change`() {
        _ = keeper.apply(.decided(attitude(.portrait), sensor: "chip"))
        let sequence = keeper.state.sequence
        let isChange = keeper.apply(.decided(attitude(.portrait, tilt: 30, timestamp: 9), sensor: "chip"))
        #expect(!isChange)
        #expect(keeper.state.sequence == sequence)
        #expect(keeper.state.tilt == 30)
    }

    @Test mutating func `the last edge is kept after a face, a failure and a restart`() {
        _ = keeper.apply(.decided(attitude(.landscapeLeft), sensor: "chip"))
        _ = keeper.apply(.decided(attitude(.faceUp), sensor: "chip"))
        #expect(keeper.state.lastEdge == .landscapeLeft)
        _ = keeper.apply(.unavailable(reason: "gone"))
        _ = keeper.apply(.decided(attitude(.faceUp), sensor: "chip"))
        #expect(keeper.state.lastEdge == .landscapeLeft)
    }

    @Test mutating func `without a reading the end of a lock keeps its edge`() {
        for edge in [PanelEdge.left, .bottom] {
            #expect(keeper.apply(.on(edge)) && keeper.apply(RotationLock.off))
            #expect(keeper.lastEdge == edge)
        }
    }

    @Test mutating func `without a sensor the state has no reading`() {
        _ = keeper.apply(.decided(attitude(.portrait), sensor: "chip"))
        #expect(keeper.apply(.unavailable(reason: "the sensor was disconnected")) == true)
        #expect(keeper.state.orientation == .unknown)
        #expect(keeper.state.tilt == nil)
        #expect(keeper.state.sensor == nil)
        #expect(keeper.state.reason == "the sensor was disconnected" && keeper.state.hasSensorFailed)
        _ = keeper.apply(.starting)
        #expect(!keeper.state.hasSensorFailed)
    }

    @Test mutating func `the last state of a recording is kept at its end, with the reason`() {
        _ = keeper.apply(.decided(attitude(.faceDown), sensor: "replay:walk"))
        #expect(keeper.apply(.ended(reason: "end of recording")) == true)
        #expect(keeper.state.orientation == .faceDown)
        #expect(keeper.state.reason == "end of recording")
    }

    @Test mutating func `a requested state has the newest measurements but not a newer orientation`() {
        _ = keeper.apply(.decided(attitude(.portrait), sensor: "chip"))
        #expect(keeper.state(measuring: attitude(.portrait, tilt: 12)).tilt == 12)
        #expect(keeper.state(measuring: attitude(.faceUp, tilt: 80)).orientation == .portrait)
        #expect(keeper.state(measuring: attitude(.faceUp, tilt: 80)).tilt == 0)
        #expect(keeper.state.tilt == 0)
    }

    @Test(arguments: Edge.allCases)
    mutating func `on a wide panel a pose has the name of its panel edge there`(tall: Edge) {
        var keeper = StateKeeper(instance: "run", natural: .landscapeLeft)
        let edge = PanelEdge(tall, natural: .portrait)
        _ = keeper.apply(.decided(attitude(DeviceOrientation(tall)), sensor: "chip"))
        _ = keeper.apply(.on(edge))
        let wide = Edge(edge, natural: .landscapeLeft)
        #expect(keeper.state.orientation == DeviceOrientation(wide))
        #expect(keeper.state.lastEdge == wide && keeper.state.lockedTo == wide)
        #expect(keeper.state.rotation == edge.rotation)
        #expect(keeper.state(measuring: attitude(DeviceOrientation(tall), tilt: 12)).tilt == 12)
    }

    @Test mutating func `the timestamp of the decision is kept while only the tilt changes`() {
        _ = keeper.apply(.decided(attitude(.portrait, timestamp: 5), sensor: "chip"))
        _ = keeper.apply(.decided(attitude(.portrait, tilt: 30, timestamp: 9), sensor: "chip"))
        _ = keeper.apply(RotationLock.on(nil))
        #expect(keeper.decided == 5)
        _ = keeper.apply(.decided(attitude(.faceUp, timestamp: 12), sensor: "chip"))
        #expect(keeper.decided == 12)
    }
}
