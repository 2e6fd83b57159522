// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

/// An app under main loops that do not run Dispatch: poll(2), and one that watches nothing of the library. `gtk-test` and
/// `library-test` have GLib's.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LoopClientTests {
    nonisolated private static let loops = ["poll", "none"]
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func state(_ sequence: Int, _ orientation: DeviceOrientation, of instance: String = "a") -> OrientationState
    {
        OrientationState(
            orientation: orientation, lastEdge: Edge(orientation), sequence: sequence, instance: instance)
    }

    /// Starts the app, which waits for its launch state at most this time in milliseconds.
    private func start(_ loop: String, timeout: Int = 60_000) throws -> InteractiveProgram {
        try InteractiveProgram(Programs.example("LoopClient"), [directory.socket, loop, "\(timeout)"])
    }

    /// Checks that the app answers its input, has one thread, and ends with its input.
    private func finish(_ app: InteractiveProgram) throws {
        try app.writeLine("")
        #expect(try app.program.line() == "threads 1")
        #expect(try app.end() == 0)
    }

    @Test(arguments: loops)
    func `an app starts in the current orientation and follows a daemon that restarts, with one thread`(loop: String)
        throws
    {
        var daemon: StubDaemon? = try StubDaemon(at: directory.socket, state: state(1, .landscapeLeft))
        let app = try start(loop)
        #expect(try app.program.line() == "landscapeRight 200x100 1.0")
        #expect(try app.program.line() == "device landscapeLeft")
        daemon?.publish(state(2, .portrait))
        // Nothing is drawn for the reading that confirmed the launch state.
        #expect(try app.program.line() == "device portrait")
        #expect(try app.program.line() == "portrait 100x200 1.0")
        daemon = nil
        #expect(try app.program.line() == "device unknown")
        daemon = try StubDaemon(at: directory.socket, state: state(1, .portraitUpsideDown, of: "b"))
        #expect(try app.program.line() == "device portraitUpsideDown")
        #expect(try app.program.line() == "portraitUpsideDown 100x200 1.0")
        try finish(app)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: loops)
    func `an app whose daemon hangs is drawn and answers its input`(loop: String) throws {
        let server = try PollServer.orientation(at: directory.socket) { _ in [] }
        defer { server.stop() }
        let app = try start(loop, timeout: 0)
        #expect(try app.program.line() == "portrait 100x200 1.0")
        try finish(app)
    }

    @Test(arguments: loops)
    func `an app whose calls are refused reports it once and answers its input`(loop: String) throws {
        let server = try PollServer.orientation(at: directory.socket) { _ in [EncodedMessage(error: .permissionDenied)]
        }
        defer { server.stop() }
        let app = try start(loop)
        #expect(try app.program.line() == "portrait 100x200 1.0")
        #expect(try app.program.line()?.hasPrefix("error ") == true)
        try finish(app)
    }
}
