// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import SeededRandomness
import TestServer
import TestSupport
import Testing

/// The clients in Examples/clients, each with a service that changes its state and then disconnects. CLibraryTests has those
/// in C.
@Suite(.timeLimit(.minutes(10))) struct ExampleTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func example(_ name: String) -> String {
        Programs.packageFolder + "/Examples/clients/" + name
    }

    /// Each line contains the orientation of the state.
    private func follow(_ executable: String, _ arguments: [String]) throws {
        let daemon = try StubDaemon(at: directory.socket, state: .number(1))
        let program = try RunningProgram(executable, arguments + [directory.socket])
        for sequence in 1...4 {
            let expected = OrientationState.number(sequence).orientation.description
            let line = try #require(try program.line())
            #expect(line.contains(expected))
            daemon.publish(.number(sequence + 1))
        }
        _ = try program.line()
        daemon.disconnectAll()
        let end = try program.finish()
        #expect(end.status == 0)
        #expect(end.output == [] && end.errors == "")
    }

    @Test func `the shell example follows the orientation`() throws {
        try follow("/bin/sh", [Self.example("follow.sh")])
    }

    @Test(arguments: ["follow.py", "follow_varlink.py"])
    func `the Python examples follow the orientation`(name: String) throws {
        try follow(Programs.python, [Self.example(name)])
    }

    /// A separate package, as for an app; built in the scratch directory of this package.
    @Test(.enabled(if: runsAllRows, "make test ROWS=all builds the libraries for it"))
    func `the Swift example builds and follows the orientation`() throws {
        let scratch = Programs.packageFolder + "/.build/example-clients"
        let build = ["--package-path", Self.example("swift"), "--scratch-path", scratch]
        let compiler = try RunningProgram.run(
            "/usr/bin/env", ["swift", "build"] + build, environment: ["TMPDIR": directory.path],
            mergesErrors: true, timeout: 600)
        #expect(compiler.status == 0, "\(compiler.output.joined(separator: "\n"))")
        let daemon = try StubDaemon(at: directory.socket, state: .number(1))
        let program = try RunningProgram(scratch + "/debug/follow", [directory.socket])
        #expect(try program.line() == "portrait")
        daemon.publish(.number(2))
        #expect(try program.line() == "portraitUpsideDown")
        daemon.disconnectAll()
        #expect(try program.line() == "not connected: orientationd: connection closed by the service")
        #expect(try program.line() == "portraitUpsideDown")
    }

    /// Built in directories that stay, with the name of this package that the tutorial has.
    @Test(.enabled(if: runsAllRows, "make test ROWS=all builds the libraries for it"))
    func `the package of the tutorial builds as printed`() throws {
        let article = Programs.packageFolder + "/Sources/Client/OrientationClient/OrientationClient.docc/TenMinutes.md"
        let parts = try String(contentsOfFile: article, encoding: .utf8).components(separatedBy: "```")
        let blocks = stride(from: 1, to: parts.count, by: 2).map { String(parts[$0].drop { $0 != "\n" }.dropFirst()) }
        let tutorial = Programs.packageFolder + "/.build/tutorial"
        let files = FileManager.default
        try files.createDirectory(atPath: tutorial + "/reader/Sources/reader", withIntermediateDirectories: true)
        try? files.removeItem(atPath: tutorial + "/orientationd")
        try files.createSymbolicLink(
            atPath: tutorial + "/orientationd", withDestinationPath: Programs.packageFolder)
        for (name, text) in zip(["Package.swift", "Sources/reader/main.swift"], blocks) {
            try text.write(toFile: "\(tutorial)/reader/\(name)", atomically: true, encoding: .utf8)
        }
        let compiler = try RunningProgram.run(
            "/usr/bin/env", ["swift", "build", "--package-path", tutorial + "/reader"],
            environment: ["TMPDIR": directory.path], mergesErrors: true, timeout: 600)
        #expect(compiler.status == 0, "\(compiler.output.joined(separator: "\n"))")
        #expect(files.isExecutableFile(atPath: tutorial + "/reader/.build/debug/reader"))
    }
}
