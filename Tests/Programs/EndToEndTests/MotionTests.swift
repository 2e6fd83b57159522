// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing
import Varlink

/// `Motion` subscribers while the sensor works and while it fails.
@Suite(.serialized) struct MotionTests {
    private static let monitor = #"{"method":"org.orientationd.Motion.Monitor","more":true}|"#

    private struct Reply: Decodable {
        struct Parameters: Decodable {
            struct Sample: Decodable {
                let timestamp: Int
                let x: Double
            }
            struct Origin: Decodable { let device: String }
            let samples: [Sample]
            let origin: Origin?
            let reason: String?
        }
        let parameters: Parameters
    }

    /// Returns the next reply that matches.
    private func reply(
        _ client: inout RawClient, where isWanted: (Reply.Parameters) -> Bool
    ) throws -> Reply.Parameters {
        while let message = try client.message() {
            let reply = try JSONDecoder().decode(Reply.self, from: Data(message.utf8)).parameters
            if isWanted(reply) { return reply }
        }
        throw TestFailure("the daemon ended the call")
    }

    @Test func `samples of a captured chip have the times of their scans`() throws {
        let chip = Machine.Device.buffered
        let daemon = try RunningDaemon([], devices: [chip])
        let machine = try #require(daemon.machine)
        let scans = try Scans(machine, chip)
        let measuring = MeasuringChip(scans)
        var client = try RawClient(to: daemon.socket)
        try client.send(Self.monitor)
        _ = try reply(&client) { !$0.samples.isEmpty }
        measuring.stop()
        // Fifty scans at once, with 40 ms between their timestamps.
        try scans.hold(1, 0, 0)
        var times: [Int] = []
        while times.count < 20 {
            times += try reply(&client) { !$0.samples.isEmpty }.samples.filter { $0.x > 5 }.map(\.timestamp)
        }
        let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(intervals.allSatisfy { $0 >= 30_000 }, "\(intervals)")
    }

    @Test func `a missing sensor is the reason, and the tool prints it`() throws {
        let daemon = try RunningDaemon(["--sensor", "iio:nothing-of-this-name"], devices: [])
        var client = try RawClient(to: daemon.socket)
        try client.send(Self.monitor)
        let reason = try #require(try reply(&client) { _ in true }.reason)
        let recording = try daemon.tool("record", daemon.folder.path + "/file")
        #expect(eventually { recording.errorText.contains("\n") })
        recording.send(SIGINT)
        let record = try recording.finish()
        #expect(record.status == 1)
        #expect(record.errors.hasPrefix("orientationctl: waiting for samples: \(reason)\n"))
        #expect(record.errors.contains("no samples received; nothing was written"))
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.path + "/file"))
    }
}
