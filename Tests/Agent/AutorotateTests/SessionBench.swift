// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Systemd
import SystemdTestSupport
import TestServer
import TestSupport
import Varlink

@testable import Autorotate
@testable import Displays

/// A session agent on a display server of the test, which applies everything; the apps of a test are on another thread.
final class SessionBench {
    let directory: TemporaryDirectory
    /// The path of the daemon's socket; unless a test serves it, the orientation of the device is unknown.
    var daemonSocket: String { directory.path("daemon") }
    /// The path of the socket for apps.
    var socket: String { directory.path("orientation-autorotate/socket") }
    /// The log of the agent.
    let messages = LoggedMessages()
    private let loop: EventLoop
    /// The newest one: the agent opens another after a loss.
    private let server: () -> FakeDisplayServer?
    /// The socket of a display server that runs while its connections are lost.
    private var listener: ListeningSocket?
    private let agent: Agent

    init(
        _ settings: Settings = Settings(), chassis: @escaping @Sendable () -> Chassis? = { nil }, listens: Bool = false
    ) throws {
        directory = try TemporaryDirectory()
        if listens { listener = try ListeningSocket.bind(to: directory.path("wayland-test"), mode: 0o600) }
        let loop = try EventLoop()
        self.loop = loop
        var options = Options()
        options.settings = settings
        options.socket = directory.path("daemon")
        var server: FakeDisplayServer?
        self.server = { server }
        let environment = [
            "XDG_RUNTIME_DIR": directory.path, "WAYLAND_DISPLAY": "wayland-test",
            "XDG_DATA_HOME": directory.path("data"),
            "XDG_DATA_DIRS": directory.path("none"),
        ]
        agent = try Agent(
            options, environment: environment, loop: loop, log: messages.logger, chassis: chassis
        ) { _, receiver in
            let fake = FakeDisplayServer(receiver)
            server = fake
            return fake
        }
    }

    /// Writes the desktop file of an app.
    func install(_ id: String, _ lines: String) throws {
        let folder = directory.path("data/applications")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try directory.write("[Desktop Entry]\n\(lines)\n", to: "data/applications/\(id).desktop")
    }

    /// What the apps of a test use; each member may be called on any thread.
    nonisolated struct Session: Sendable {
        let socket: String
        fileprivate let events: FileHandle
        fileprivate let answers: FileHandle

        /// A full-screen window of this app comes to the front; nil for none.
        func show(_ appID: String?) throws { try events.write(contentsOf: Data("\(appID ?? "")\n".utf8)) }

        /// The connection to the display server fails.
        func loseDisplay() throws { try events.write(contentsOf: Data("lose\n".utf8)) }

        /// Returns the reply of `Explain`.
        func explain() throws -> JSONObject {
            var client = try RawClient(to: socket)
            return try client.call(Call("org.orientationd.Display.Explain"))[0]
        }

        /// Returns the number of the agent's running timers.
        func runningTimers() throws -> Int? {
            try events.write(contentsOf: Data("timers\n".utf8))
            return Int(String(decoding: answers.availableData, as: UTF8.self))
        }
    }

    /// Runs the agent until the apps are done, and returns what they found.
    func run<Found: Sendable>(_ apps: @escaping @Sendable (Session) throws -> Found) throws -> Found {
        let ends = Foundation.Pipe(), events = Foundation.Pipe(), answers = Foundation.Pipe()
        let outcome = Outcome<Found>()
        let session = Session(
            socket: socket, events: events.fileHandleForWriting, answers: answers.fileHandleForReading)
        let watches = [
            try loop.watch(ends.fileHandleForReading.fileDescriptor, for: .read) { [unowned self] _ in
                listener = nil
                server()?.end()
            },
            try loop.watch(events.fileHandleForReading.fileDescriptor, for: .read) { [loop, server] _ in
                let text = String(decoding: events.fileHandleForReading.availableData, as: UTF8.self)
                for name in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                    if name == "timers" {
                        try? answers.fileHandleForWriting.write(contentsOf: Data("\(loop.runningTimers)".utf8))
                    } else if name == "lose" {
                        server()?.lose()
                    } else {
                        server()?.show(String(name))
                    }
                }
            },
        ]
        Thread.detachNewThread {
            outcome.result = Result { try apps(session) }
            try? ends.fileHandleForWriting.close()
        }
        _ = try agent.run()
        withExtendedLifetime(watches) {}
        guard let result = outcome.result else { throw CancellationError() }
        return try result.get()
    }
}

/// A display server with a wide panel that applies every configuration.
private final class FakeDisplayServer: DisplayServer {
    let name = "test"
    private let receiver: DisplayServerReceiver

    init(_ receiver: @escaping DisplayServerReceiver) {
        self.receiver = receiver
        receiver(.frontWindow(nil))
        receiver(.outputs([Output(name: "eDP-1", mode: PixelSize(width: 1920, height: 1080))]))
    }

    func apply(_ outputs: [Output]) {
        receiver(.outputs(outputs))
        receiver(.applied)
    }

    func alignInput(with output: Output) {}

    func show(_ appID: String) {
        receiver(.frontWindow(appID.isEmpty ? nil : FrontWindow(id: 1, appID: appID, state: .fullscreen)))
    }

    func end() { receiver(.ended("the test is over")) }

    func lose() { receiver(.ended("no memory")) }
}

/// Written before the pipe closes, read after.
private nonisolated final class Outcome<Found: Sendable>: @unchecked Sendable {
    var result: Result<Found, any Error>?
}
