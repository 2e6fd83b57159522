// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import Testing

/// The clients in Examples/clients, each against a service that changes its state and then goes away.
@Suite(.timeLimit(.minutes(10))) struct ExampleTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func example(_ name: String) -> String {
        Python.root.appending(path: "Examples/clients/\(name)").path
    }

    /// Each line says the state's orientation, whatever else.
    private func follow(_ executable: URL, _ arguments: [String]) async throws {
        let daemon = try StubDaemon(at: directory.socket, state: .number(1))
        let program = try Program(executable, arguments + [directory.socket])
        for sequence in 1...4 {
            let expected = OrientationState.number(sequence).orientation.description
            let line = try #require(await program.nextLine())
            #expect(line.contains(expected))
            daemon.publish(.number(sequence + 1))
        }
        _ = await program.nextLine()
        daemon.disconnectAll()
        let (status, rest) = await program.finish()
        #expect(status == 0)
        #expect(rest == [])
    }

    @Test func `the shell example follows the orientation`() async throws {
        try await follow(URL(filePath: "/bin/sh"), [Self.example("follow.sh")])
    }

    @Test(arguments: ["follow.py", "follow_varlink.py"])
    func `the Python examples follow the orientation`(name: String) async throws {
        try await follow(Python.interpreter(), [Self.example(name)])
    }

    @Test func `the C example compiles without a warning and follows the orientation`() async throws {
        let binary = directory.path("follow")
        let compiler = try Program(
            URL(filePath: "/usr/bin/env"),
            ["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-o", binary, Self.example("follow.c")])
        let (status, output) = await compiler.finish()
        #expect(status == 0, "\(output.joined(separator: "\n"))")
        try await follow(URL(filePath: binary), [])
    }

    /// Its own package, as an app has it; built into the scratch directory of this package's tests.
    @Test func `the Swift example builds and follows the orientation`() async throws {
        let scratch = Python.root.appending(path: ".build/example-clients").path
        let build = ["--package-path", Self.example("swift"), "--scratch-path", scratch]
        let compiler = try Program(URL(filePath: "/usr/bin/env"), ["swift", "build"] + build)
        let (status, output) = await compiler.finish()
        #expect(status == 0, "\(output.joined(separator: "\n"))")
        let daemon = try StubDaemon(at: directory.socket, state: .number(1))
        let program = try Program(URL(filePath: "\(scratch)/debug/follow"), [directory.socket])
        #expect(await program.nextLine() == "portrait")
        daemon.publish(.number(2))
        #expect(await program.nextLine() == "portraitUpsideDown")
        daemon.disconnectAll()
        #expect(await program.nextLine() == "not connected: the connection was closed")
        #expect(await program.nextLine() == "portraitUpsideDown")
    }
}
