// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Sensing
import Testing

@testable import OrientationDaemon

@Suite struct StateKeeperTests {
    private var keeper = StateKeeper(instance: "run")

    private func attitude(_ orientation: DeviceOrientation, tilt: Double = 0, timestamp: Int64 = 1) -> Attitude {
        Attitude(
            orientation: orientation, lastEdge: Edge(orientation), tilt: tilt, disturbance: 0.5, timestamp: timestamp)
    }

    @Test func `the first state is unknown, says why, and has sequence 1`() {
        #expect(keeper.state.orientation == .unknown)
        #expect(keeper.state.sequence == 1)
        #expect(keeper.state.reason == "the sensor is off: nobody is listening")
    }

    @Test mutating func `a decision is news and takes the reason away`() {
        #expect(keeper.apply(.starting) == true)
        #expect(keeper.apply(.decided(attitude(.portrait), sensor: "chip")) == true)
        #expect(keeper.state.orientation == .portrait)
        #expect(keeper.state.lastEdge == .portrait)
        #expect(keeper.state.sensor == "chip")
        #expect(keeper.state.reason == nil)
        #expect(keeper.state.sequence == 3)
    }

    @Test mutating func `tilt, disturbance and timestamp alone are no news`() {
        _ = keeper.apply(.decided(attitude(.portrait), sensor: "chip"))
        let sequence = keeper.state.sequence
        let isNews = keeper.apply(.decided(attitude(.portrait, tilt: 30, timestamp: 9), sensor: "chip"))
        #expect(!isNews)
        #expect(keeper.state.sequence == sequence)
        #expect(keeper.state.tilt == 30)
    }

    @Test mutating func `the last edge outlives a face, a failure and a fresh start`() {
        _ = keeper.apply(.decided(attitude(.landscapeLeft), sensor: "chip"))
        _ = keeper.apply(.decided(attitude(.faceUp), sensor: "chip"))
        #expect(keeper.state.lastEdge == .landscapeLeft)
        _ = keeper.apply(.unavailable(reason: "gone"))
        _ = keeper.apply(.decided(attitude(.faceUp), sensor: "chip"))
        #expect(keeper.state.lastEdge == .landscapeLeft)
    }

    @Test mutating func `without a sensor nothing stale is told`() {
        _ = keeper.apply(.decided(attitude(.portrait), sensor: "chip"))
        #expect(keeper.apply(.unavailable(reason: "the sensor has gone")) == true)
        #expect(keeper.state.orientation == .unknown)
        #expect(keeper.state.tilt == nil)
        #expect(keeper.state.sensor == nil)
        #expect(keeper.state.reason == "the sensor has gone")
    }

    @Test mutating func `at the end of a recording its last state stays, with the reason`() {
        _ = keeper.apply(.decided(attitude(.faceDown), sensor: "replay:walk"))
        #expect(keeper.apply(.ended(reason: "end of recording")) == true)
        #expect(keeper.state.orientation == .faceDown)
        #expect(keeper.state.reason == "end of recording")
    }

    @Test mutating func `a state asked for has the newest measurements, but never another orientation`() {
        _ = keeper.apply(.decided(attitude(.portrait), sensor: "chip"))
        #expect(keeper.state(measuring: attitude(.portrait, tilt: 12)).tilt == 12)
        #expect(keeper.state(measuring: attitude(.faceUp, tilt: 80)).orientation == .portrait)
        #expect(keeper.state(measuring: attitude(.faceUp, tilt: 80)).tilt == 0)
        #expect(keeper.state.tilt == 0)
    }

    @Test mutating func `the hinge's switch is news, and nothing where there is none`() {
        #expect(keeper.state.tabletMode == nil)
        #expect(keeper.apply(tabletMode: true) == true)
        #expect(keeper.state.tabletMode == true)
        #expect(keeper.apply(tabletMode: true) == false)
        #expect(keeper.apply(tabletMode: nil) == true)
        #expect(keeper.state.tabletMode == nil)
    }

    @Test mutating func `the timestamp of the decision stays while only the tilt is another`() {
        _ = keeper.apply(.decided(attitude(.portrait, timestamp: 5), sensor: "chip"))
        _ = keeper.apply(.decided(attitude(.portrait, tilt: 30, timestamp: 9), sensor: "chip"))
        _ = keeper.apply(RotationLock.closed(nil))
        #expect(keeper.decided == 5)
        _ = keeper.apply(.decided(attitude(.faceUp, timestamp: 12), sensor: "chip"))
        #expect(keeper.decided == 12)
    }
}
