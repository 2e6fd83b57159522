// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A private D-Bus daemon, used as the system bus.
package final class PrivateBus {
    package let directory: TemporaryDirectory
    private let denial: String
    private var program: RunningProgram?
    /// Permits the claims of users other than root, without an active session.
    private var polkit: RunningProgram?

    /// The D-Bus address; stays the same after a restart.
    package var address: String { "unix:path=\(directory.socket)" }

    /// The environment in which a program uses this bus as the system bus.
    package var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

    /// Starts the bus, which refuses the ownership of `name`, and calls of its own method `member`.
    package init(isRunning: Bool = true, denying name: String? = nil, calls member: String? = nil) throws {
        directory = try TemporaryDirectory()
        let owning = name.map { "<deny own=\"\($0)\"/>" } ?? ""
        denial =
            owning
            + (member.map { "<deny send_interface=\"org.freedesktop.DBus\" send_member=\"\($0)\"/>" } ?? "")
        if isRunning { try start() }
    }

    /// Starts the bus and waits until it listens.
    package func start() throws {
        // The bus would end a connection whose test waits for other tests before it authenticates.
        let configuration = try directory.write(
            """
            <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth><policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow send_type="method_return"/>
            <allow send_type="error"/><allow send_type="signal"/><allow receive_sender="*"/>\(denial)
            </policy><limit name="auth_timeout">600000</limit></busconfig>
            """, to: "bus.conf")
        let program = try RunningProgram(
            "/usr/bin/dbus-daemon", ["--nofork", "--nopidfile", "--print-address", "--config-file", configuration])
        guard try program.line()?.isEmpty == false else { throw TestFailure("dbus-daemon: \(program.errorText)") }
        self.program = program
        if geteuid() != 0 { polkit = try startPolkit(replying: "allow") }
    }

    /// Starts the replacement of polkit, and waits until it owns its name.
    package func startPolkit(replying answer: String) throws -> RunningProgram {
        let script = Programs.packageFolder + "/Tests/Programs/EndToEndTests/Python/polkit.py"
        let program = try RunningProgram("/usr/bin/python3", [script, answer], environment: environment)
        guard try program.line() == "ready" else { throw TestFailure("polkit.py: \(program.errorText)") }
        return program
    }

    /// Ends the bus and with it every connection.
    package func stop() {
        // At SIGTERM the bus closes one connection after another, and reports each to those that are left.
        program?.send(SIGKILL)
        _ = program?.wait()
        program = nil
    }

    /// Stops the bus with SIGSTOP, so that it neither accepts nor replies, or continues it.
    package func freeze(_ isFrozen: Bool) {
        program?.send(isFrozen ? SIGSTOP : SIGCONT)
    }
}
