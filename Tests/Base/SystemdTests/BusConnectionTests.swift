// SPDX-License-Identifier: Apache-2.0

import SystemdTestSupport
import TestSupport
import Testing

@testable import Systemd

@Suite(.serialized, .timeLimit(.minutes(10))) struct BusConnectionTests {
    @Test func `the end of the bus is reported once, and messages after it are errors`() throws {
        let bench = try BusBench()
        var losses = 0
        let connection = try bench.connect { losses += 1 }
        let name = try bench.own(on: connection)
        bench.bus.stop()
        try bench.run { losses > 0 }
        try bench.runReady()
        #expect(losses == 1)
        #expect(throws: SystemError.self) {
            try connection.sendPropertiesChanged(
                of: BusBench.interface, at: BusBench.path, [("Colour", .string("red"))], to: ":1.1")
        }
        withExtendedLifetime(name) {}
    }

    @Test func `a connection may be released when it is lost, with calls pending`() throws {
        let bench = try BusBench()
        var connection: BusConnection?
        var losses = 0
        connection = try bench.connect {
            losses += 1
            connection = nil
        }
        var name: BusName? = try connection.map { try bench.own(on: $0) }
        let call = try connection?.newCall(to: BusBench.name, BusBench.path, BusBench.interface, "Light")
        if let call { try connection?.call(call, timeout: 60) { _ in } }
        #expect(name != nil)
        name = nil
        bench.bus.stop()
        try bench.run { losses > 0 }
        #expect(connection == nil)
    }

    @Test func `a missing bus is an error, or a loss`() throws {
        let bench = try BusBench()
        bench.bus.stop()
        var losses = 0
        do {
            let connection = try bench.connect { losses += 1 }
            try bench.run { losses > 0 }
            withExtendedLifetime(connection) {}
        } catch let error as SystemError {
            #expect(error.description.hasPrefix("cannot connect to unix:path="))
        }
    }
}
