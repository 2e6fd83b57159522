// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension SensorProxyTests {
    /// libiio in a daemon that serves desktops.
    @Suite struct UnloadedLibraryTests {
        @Test func `libiio is unloaded without claims and while light is polled, and its frequency is restored`() throws
        {
            var hub = Machine.Device.ambientHub
            hub.attributes["sampling_frequency"] = "1.95"
            let bus = try PrivateBus()
            let daemon = try RunningDaemon(["--dbus"], devices: [hub], environment: bus.environment)
            let machine = try #require(daemon.machine)
            let claimant = try Desktop(on: bus)
            try claimant.awaitOwner()
            #expect(try claimant.request("get", "HasAmbientLight") == [.answer("1")])
            #expect(eventually { !daemon.program.hasLoadedLibiio })
            for _ in 0..<2 {
                #expect(try claimant.request("call", "ClaimLight").last == .answer("done"))
                #expect(try claimant.request("call", "ClaimProximity").last == .answer("done"))
                #expect(try machine.value(hub, "sampling_frequency") == "10")
                #expect(eventually { !daemon.program.hasLoadedLibiio })
                #expect(try claimant.request("call", "ReleaseLight") == [.answer("done")])
                #expect(try claimant.request("call", "ReleaseProximity") == [.answer("done")])
                #expect(try eventually { try machine.value(hub, "sampling_frequency") == "1.95" })
                #expect(eventually { daemon.sensorThreads.isEmpty })
                #expect(!daemon.program.hasLoadedLibiio)
            }
        }
    }
}
