// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Testing

@testable import OrientationDaemon
@testable import Sensors

@Suite struct SensorProxyValuesTests {
    private var values = SensorProxyValues()

    private func report(_ orientation: DeviceOrientation, _ edge: Edge?, _ tilt: TiltBand) -> SensorState {
        .decided(
            ClassifiedSample(orientation: orientation, lastEdge: edge, tiltBand: tilt, timestamp: 1), sensor: "chip")
    }

    private func value(_ name: String) -> BusValue? { values.all.first { $0.name == name }?.value }

    @Test func `before the first reading everything is undefined or absent`() {
        #expect(value("HasAccelerometer") == .boolean(false))
        #expect(value("AccelerometerOrientation") == .string("undefined"))
        #expect(value("AccelerometerTilt") == .string("undefined"))
        #expect(value("HasAmbientLight") == .boolean(false))
        #expect(value("HasProximity") == .boolean(false))
    }

    @Test(arguments: [
        (Edge.portrait, "normal"), (.portraitUpsideDown, "bottom-up"), (.landscapeLeft, "right-up"),
        (.landscapeRight, "left-up"),
    ])
    func `an edge has the name that desktops know`(edge: Edge, name: String) {
        var values = SensorProxyValues()
        values.apply(report(DeviceOrientation(edge), edge, .vertical))
        #expect(values.all.map(\.value).prefix(3) == [.boolean(true), .string(name), .string("vertical")])
    }

    @Test(arguments: [
        (TiltBand.vertical, "vertical"), (.tiltedUp, "tilted-up"), (.tiltedDown, "tilted-down"), (.faceUp, "face-up"),
        (.faceDown, "face-down"),
    ])
    func `a tilt has the name that desktops know`(tilt: TiltBand, name: String) {
        var values = SensorProxyValues()
        values.apply(report(.portrait, .portrait, tilt))
        #expect(values.all[2].value == .string(name))
    }

    @Test mutating func `a face keeps the last edge`() {
        values.apply(report(.landscapeLeft, .landscapeLeft, .vertical))
        let before = values
        values.apply(report(.faceUp, .landscapeLeft, .faceUp))
        #expect(values.changes(of: .accelerometer, since: before).map(\.name) == ["AccelerometerTilt"])
        // A daemon that opened the sensor again may not know the edge.
        values.apply(report(.faceUp, nil, .faceUp))
        #expect(value("AccelerometerOrientation") == .string("right-up"))
    }

    @Test mutating func `simultaneous changes are returned together`() {
        let before = values
        values.apply(report(.portrait, .portrait, .tiltedUp))
        #expect(
            values.changes(of: .accelerometer, since: before).map(\.name)
                == ["HasAccelerometer", "AccelerometerOrientation", "AccelerometerTilt"])
        #expect(values.changes(of: .accelerometer, since: values).isEmpty)
    }

    @Test mutating func `the last reading is kept when the sensor is off or fails`() {
        values.apply(report(.portrait, .portrait, .vertical))
        let before = values
        for report in [SensorState.off, .starting, .unavailable(reason: "gone"), .ended(reason: "over")] {
            values.apply(report)
            #expect(values == before)
        }
    }

    @Test mutating func `ambient readings have the types and the units that desktops know`() {
        for reading in [AmbientReading.light(12.5, .vendor), .proximity(isNear: true), .compass(270)] {
            values.apply(.read(reading))
        }
        let light = values.changes(of: .light, since: SensorProxyValues())
        #expect(light.map(\.value) == [.boolean(true), .string("vendor"), .double(12.5)])
        #expect(value("HasProximity") == .boolean(true) && value("ProximityNear") == .boolean(true))
        #expect(values.compass.map(\.name) == ["HasCompass", "CompassHeading"])
        #expect(values.compass.map(\.value) == [.boolean(true), .double(270)])
        #expect(value("HasAccelerometer") == .boolean(false))
        values.present = []
        #expect(value("ProximityNear") == .boolean(false))
    }
}
