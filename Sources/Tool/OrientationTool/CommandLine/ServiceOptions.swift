// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationModel
import OrientationWire
import Posix
import Varlink

/// The daemon's socket.
struct SocketOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The daemon's socket",
            discussion: """
                Default: $ORIENTATIOND_SOCKET, else the system's socket if it exists, else the user's own in \
                $XDG_RUNTIME_DIR.
                """,
            valueName: "path"),
        completion: .file(), transform: parse)
    var socket: String?

    @Sendable private static func parse(_ path: String) throws -> String {
        if path.isEmpty { throw ValidationError("must not be empty") }
        return path
    }
}

/// The daemon's socket and the timeout of a call. Accepted before and after the subcommand; the latter wins.
struct ServiceOptions: ParsableArguments {
    @OptionGroup var socketOption: SocketOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Timeout of a call (default: 5)", valueName: "seconds"),
        transform: NumberRange(0.1...3_600).parse)
    var timeout: Double?

    var socket: String? { socketOption.socket }

    /// Refuses the options for a command that calls no daemon.
    func refuse(for command: any LocalCommand) throws {
        guard let option = socket != nil ? "--socket" : timeout != nil ? "--timeout" : nil else { return }
        throw ValidationError("\(option): not valid for \(type(of: command)._commandName), which calls no daemon")
    }
}

/// The machine to examine: this one, or in tests a directory tree that represents one.
struct MachineOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .hidden)
    var sysroot = ""

    func validate() throws {
        if !sysroot.isEmpty, system.entries("").isEmpty {
            throw ValidationError("--sysroot: invalid value '\(sysroot)': must be a directory with files")
        }
    }

    var system: SystemRoot { SystemRoot(prefix: sysroot) }
}

/// A command that calls no daemon.
protocol LocalCommand: ParsableCommand {
    var root: OrientationCtl { get }
}

/// A command that calls the daemon. Without tasks if it waits for single replies: Dispatch's threads need /proc.
protocol DaemonCommand: ParsableCommand {
    var root: OrientationCtl { get }
    var service: ServiceOptions { get }
    var socketPath: String? { get }
}

extension DaemonCommand {
    var socketPath: String? { service.socket ?? root.service.socket }

    /// The daemon, for commands with tasks.
    var daemon: OrientationService { OrientationService(.daemon(socketPath: socketPath), timeout: timeout) }

    /// The daemon, for commands that wait.
    var calls: DaemonCalls { DaemonCalls(place: place, timeout: timeout) }

    var place: ServicePlace { .daemon(socketPath: socketPath) }

    var timeout: Duration {
        (service.timeout ?? root.service.timeout).map { .seconds($0) } ?? OrientationService.defaultTimeout
    }

    /// Makes the system's daemon reachable; nil for another one, and if that takes no command.
    var reach: Fix? {
        guard place.socket.isSystem else { return nil }
        let service = ServiceReader(root: .this).service()
        return .reach(service, service.failure == nil ? .systemd : SystemRoot.this.initSystem)
    }

    /// Returns what the user can do about a failed call; nil if the error says it.
    func remedy(for error: OrientationServiceError) -> String? {
        let socket = place.socket
        var (obstacle, doctor): (SocketObstacle?, String?)
        if case .notConnected = error {
            obstacle = SocketObstacle(at: socket.path)
            if socket.isSystem { doctor = "see 'orientationctl doctor'" }
        }
        let (instruction, fix) = error.remedy(at: socket, obstacle) { reach }
        let parts = [fix.map { "run '\($0.command)'" }, instruction, doctor].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", or ")
    }
}

extension OrientationServiceError {
    /// Returns how the system's daemon is started: without a known init system, by hand.
    private func started(_ fix: Fix?, fault: String? = nil) -> (instruction: String?, fix: Fix?) {
        let start = fix == nil ? "start 'sudo \(SystemRoot.daemonCommand)'" : nil
        let parts = [fault.map { "a user's own daemon is not found: \($0)" }, start].compactMap(\.self)
        return (parts.isEmpty ? nil : parts.joined(separator: "; "), fix)
    }

    /// Returns what the user can do about a failed call, also for the doctor. `reach` makes the system's daemon reachable.
    func remedy(
        at socket: (path: String, isSystem: Bool), _ obstacle: SocketObstacle?, reach: () -> Fix?
    ) -> (instruction: String?, fix: Fix?) {
        let check = "check --socket and ORIENTATIOND_SOCKET"
        let start = "\(SystemRoot.daemonCommand) --socket \(socket.path)"
        let count = "sudo orientationctl \(socket.isSystem ? "" : "--socket \(socket.path) ")daemon"
        return switch (self, obstacle) {
        case (.notConnected, nil), (.notConnected, .busy): (nil, nil)
        case (.notConnected, .notSocket): ("it is not a socket: \(check)", nil)
        case (.notConnected, .denied(let path)) where !socket.isSystem || path != socket.path:
            ("this user may not use \(path): run this as its owner, or \(check)", nil)
        case (.notConnected, .absent) where socket.isSystem, (.notConnected, .noFolder) where socket.isSystem:
            started(reach(), fault: Environment.runtimeDirectoryFault)
        case (.notConnected, .refused) where socket.isSystem: started(reach())
        case (.notConnected, _) where socket.isSystem, (.timedOut, _) where socket.isSystem: (nil, reach())
        case (.notConnected, .noFolder(let folder)): ("\(check), or run 'mkdir -p \(folder) && \(start)'", nil)
        case (.notConnected, _): ("\(check), or start '\(start)'", nil)
        case (.timedOut, _): ("restart that orientationd, or increase --timeout", nil)
        case (.limitReached, _):
            ("end other programs that use it; '\(count)' counts the connections of each user", nil)
        case (.unusablePath, _): (check, nil)
        case (.notUnderstood, _): ("it may be another program: \(check)", nil)
        // What it needs names the group.
        case (.permissionDenied, _):
            (
                (getgrnam("orientation") == nil
                    ? "create it with 'sudo groupadd -r orientation', restart orientationd, " : "")
                    + "join it with 'sudo gpasswd -a $USER orientation', then log in again", nil
            )
        case (.untrusted, _), (.sensorUnavailable, _), (.refused, _): (nil, nil)
        }
    }
}

/// Calls to the daemon that wait for the reply.
struct DaemonCalls {
    let place: ServicePlace
    let timeout: Duration

    func call(_ method: String, _ parameters: JSONObject = [:]) throws(OrientationServiceError) -> JSONObject {
        try ServiceCall(Call(method, parameters), to: place, timeout: timeout).wait()
    }

    /// Returns the current state. The daemon starts its sensor if it is off, and waits up to a second for the first sample.
    func state() throws -> OrientationState { try OrientationState(reply: call(OrientationInterface.get)) }

    func sensors() throws -> [SensorDescription] {
        try SensorDescription.sensors(reply: call(OrientationInterface.listSensors))
    }

    /// Returns the ambient sensors and the hinge.
    func ambientSensors() throws -> AmbientSensorListMessage {
        try AmbientSensorListMessage(reply: call(OrientationInterface.listAmbientSensors))
    }
}

extension OrientationService {
    /// The interval between two checks of a daemon whose replies stop.
    private static let checkInterval = Duration.seconds(2)

    /// Waits for work that receives messages from the daemon, and cancels it when the daemon stops replying, or after
    /// `duration` seconds.
    ///
    /// - Throws: The error of the work, or ``OrientationServiceError/timedOut(after:)``.
    func whileReplying<Value: Sendable>(
        _ work: Task<Value, any Error>, for duration: Double? = nil
    ) async throws -> Value {
        let timer = duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                work.cancel()
            }
        }
        defer { timer?.cancel() }
        let check = Task { () -> OrientationServiceError? in
            while !Task.isCancelled {
                do {
                    _ = try await call("org.varlink.service.GetInfo")
                } catch OrientationServiceError.timedOut(let timeout) {
                    work.cancel()
                    return .timedOut(after: timeout)
                } catch {
                    // The work reports a failed connection.
                }
                // The clock stops during system suspend, when the daemon cannot reply either. The loop ends if it is cancelled.
                try? await Task.sleep(for: Self.checkInterval, clock: .suspending)
            }
            return nil
        }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        check.cancel()
        if let failure = await check.value { throw failure }
        return try result.get()
    }
}
