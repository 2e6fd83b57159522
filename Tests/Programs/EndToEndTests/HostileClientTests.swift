// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing
import Varlink

/// A client passes sockets to the daemon whose close blocks for five minutes. Another client is answered while the
/// passed sockets still exist.
@Suite(.serialized) struct HostileClientTests {
    /// A client without the protection of this library.
    private let old = DescriptorGuard(usesKernelOption: false)
    private static let get = #"{"method":"org.orientationd.Orientation.Get"}|"#

    private func expectAnswer(at socket: String) throws {
        var innocent = try RawClient(to: socket)
        try innocent.send(Self.get)
        #expect(try innocent.message()?.contains("orientation") == true)
    }

    @Test(arguments: ["ulimit -n 4096", "ulimit -n 152"])
    func `passed descriptors queued before a socket-activated start block neither service nor exit`(
        limit: String
    ) throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        // The listener accepts descriptors and queues connections before the daemon starts.
        let holder = """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(sys.argv[1])
            listener.listen(128)
            print("listening", flush=True)
            sys.stdin.readline()
            os.dup2(listener.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
            os.execv("/bin/sh", ["sh", "-c", "LISTEN_PID=$$; export LISTEN_PID; " + sys.argv[2] + '; exec "$@"', "sh"]
                + sys.argv[3:])
            """
        let daemon = try InteractiveProgram(
            Programs.python,
            [
                "-c", holder, socket, limit, Programs.daemon, "--sensor", "fake:", "--state-directory", folder.path,
                "--log-level", "debug",
            ])
        #expect(try daemon.program.line() == "listening")
        let lingering = try (0..<4).map { _ in try LingeringSocket() }
        var first = try RawClient(to: socket, guardian: old)
        try lingering[0].pass(over: first.socket.descriptor)
        var second = try RawClient(to: socket, guardian: old)
        try second.send(Self.get)
        try lingering[1].pass(over: second.socket.descriptor, count: 253)
        var third = try RawClient(to: socket, guardian: old)
        try lingering[2].pass(over: third.socket.descriptor, outOfBand: true)
        // Disconnects without a call.
        do {
            let fourth = try RawClient(to: socket, guardian: old)
            try lingering[3].pass(over: fourth.socket.descriptor)
        }
        try daemon.writeLine("start")
        try expectAnswer(at: socket)
        while try first.message() != nil {}
        while try second.message() != nil {}
        while try third.message() != nil {}
        try expectAnswer(at: socket)
        if kernelRefusesDescriptors {
            let late = try RawClient(to: socket, guardian: old)
            let refusal = LingeringSocket.Failure(operation: "sendmsg", errno: EPERM)
            #expect(throws: refusal) { try LingeringSocket().pass(over: late.socket.descriptor) }
        }
        daemon.program.send(SIGTERM)
        #expect(daemon.program.wait() == 0)
        #expect(daemon.program.errorText.contains("the peer passed file descriptors"))
        withExtendedLifetime(lingering) {}
    }

    @Test func `the umask does not change the socket's mode`() throws {
        let folder = try TemporaryDirectory()
        let socket = folder.path + "/socket"
        let daemon = try RunningProgram(
            "/bin/sh",
            [
                "-c", "umask 077; exec \"$@\"", "sh", Programs.daemon, "--sensor", "fake:", "--socket", socket,
                "--state-directory", folder.path,
            ])
        guard eventually({ (try? StreamSocket.connect(to: socket)) != nil }) else {
            throw TestFailure("no listener at the socket")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: socket)
        #expect(attributes[.posixPermissions] as? Int == 0o666)
        let umask = try String(contentsOfFile: "/proc/\(daemon.identifier)/status", encoding: .utf8)
        #expect(umask.contains("Umask:\t0077"))
    }
}
