// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension SensorProxyTests {
    /// The calls of desktops to `net.hadess.SensorProxy`, over a real bus, with the real daemon.
    @Suite struct DesktopTests {
        private let chip = Machine.Device.upright
        private let bus: PrivateBus

        init() throws { bus = try PrivateBus() }

        @Test func `a claiming client receives each turn, and a client without a claim nothing`() throws {
            let daemon = try bus.daemon(devices: [chip])
            let machine = try #require(daemon.machine)
            let claimant = try bus.desktop(seeing: "HasAccelerometer")
            let other = try bus.desktop()
            #expect(try claimant.request("get", "AccelerometerOrientation") == [.answer("undefined")])
            // Properties that change together are in one signal.
            #expect(
                try claimant.firstReading("call", "ClaimAccelerometer")
                    == ["AccelerometerOrientation": "normal", "AccelerometerTilt": "vertical"])
            let turns: [(Int, Int, String)] = [
                (1, 0, "right-up"), (0, -1, "bottom-up"), (-1, 0, "left-up"), (0, 1, "normal"),
            ]
            for (x, y, name) in turns {
                try machine.hold(chip, x, y, 0)
                #expect(try claimant.event() == .signal(["AccelerometerOrientation": name]))
                #expect(try other.request("get", "AccelerometerOrientation") == [.answer(name)])
            }
            try machine.hold(chip, 0, 0, 1)
            #expect(try claimant.event() == .signal(["AccelerometerTilt": "face-up"]))
            #expect(
                try other.request("all") == [
                    .properties([
                        "HasAccelerometer": "1", "AccelerometerOrientation": "normal", "AccelerometerTilt": "face-up",
                        "HasAmbientLight": "0", "LightLevelUnit": "lux", "LightLevel": "0", "HasProximity": "0",
                        "ProximityNear": "0",
                    ])
                ])
        }

        @Test func `introspection describes the object and its compass`() throws {
            let daemon = try bus.daemon(["--sensor", "fake:"])
            let desktop = try bus.desktop()
            let descriptions = try ["/net/hadess/SensorProxy", "/net/hadess/SensorProxy/Compass"].map { path in
                guard case .answer(let text)? = try desktop.request("introspect", path).last else { return "" }
                return text
            }
            for name in ["ClaimAccelerometer", "ReleaseProximity", "AccelerometerTilt", "LightLevelUnit", "Compass"] {
                #expect(descriptions[0].contains("name=\"\(name)\""))
            }
            for name in ["ClaimCompass", "HasCompass", "CompassHeading"] {
                #expect(descriptions[1].contains("name=\"\(name)\""))
            }
            withExtendedLifetime(daemon) {}
        }
    }
}
