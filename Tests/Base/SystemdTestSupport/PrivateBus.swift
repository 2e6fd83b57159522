// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestSupport

/// A dbus-daemon of one test.
package final class PrivateBus {
    private let directory: TemporaryDirectory
    private let deniedName: String?
    private let deniedMember: String?
    private var process: Process?

    /// The D-Bus address; stays the same after a restart.
    package var address: String { "unix:path=\(directory.socket)" }

    package struct StartFailure: Error {}

    /// Starts the bus, which refuses the ownership of `deniedName`, and calls of its own method `deniedMember`.
    package init(denying deniedName: String? = nil, calls deniedMember: String? = nil) throws {
        directory = try TemporaryDirectory()
        self.deniedName = deniedName
        self.deniedMember = deniedMember
        try start()
    }

    isolated deinit {
        stop()
    }

    /// Starts the bus and waits until it listens.
    package func start() throws {
        // The bus would end a connection whose test waits for other tests before it authenticates.
        let timeout = "<limit name=\"auth_timeout\">600000</limit>"
        let configuration = directory.path("bus.conf")
        let owning = deniedName.map { "<deny own=\"\($0)\"/>" } ?? ""
        let calling = deniedMember.map { "<deny send_interface=\"org.freedesktop.DBus\" send_member=\"\($0)\"/>" } ?? ""
        let denial = owning + calling
        try """
        <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth><policy context="default">
        <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow send_type="method_return"/>
        <allow send_type="error"/><allow send_type="signal"/><allow receive_sender="*"/>\(denial)
        </policy>\(timeout)</busconfig>
        """.write(toFile: configuration, atomically: false, encoding: .utf8)
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
        process.arguments = ["--nofork", "--nopidfile", "--print-address", "--config-file", configuration]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        self.process = process
        // It prints its address once it listens.
        guard !output.fileHandleForReading.availableData.isEmpty else { throw StartFailure() }
    }

    /// Ends the bus and with it every connection.
    package func stop() {
        guard let process else { return }
        // Not SIGTERM: the child inherits the signals that the test's thread blocks.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }
}
