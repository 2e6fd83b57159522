// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A daemon that reads a hostile board on the network. The board is that of Tests/System/Attack.
@Suite(.serialized) struct HostileBoardTests {
    /// Starts a board whose description is the Python expression `xml`, and a daemon that reads it. The board prints a
    /// line for each connection to its HTTP server at the port `http`.
    private func daemon(facing xml: String) throws -> (daemon: RunningDaemon, board: RunningProgram) {
        let script = """
            import sys, threading
            sys.path.insert(0, sys.argv[1])
            from board import Board, context, plain
            from socket import create_server
            listener = create_server(("127.0.0.1", 0))
            http = listener.getsockname()[1]
            def fetched():
                while True:
                    listener.accept()[0].close()
                    print("fetched", flush=True)
            threading.Thread(target=fetched, daemon=True).start()
            xml = \(xml)
            board = Board(lambda: xml, lambda name: b"0.001" if name.endswith("scale") else plain(name))
            print(board.port, flush=True)
            board.serve()
            """
        let board = try RunningProgram(
            Programs.python, ["-c", script, Programs.packageFolder + "/Tests/System/Attack"])
        guard let port = try board.line() else { throw TestFailure("the board does not listen: \(board.errorText)") }
        return (try RunningDaemon(["--sensor", "iio:ip:127.0.0.1:\(port)"]), board)
    }

    /// Returns why there is no sensor, after the daemon tried to open the board.
    private func reason(_ daemon: RunningDaemon) throws -> String {
        let state = try daemon.tool("watch", "--json").state { $0.reason != nil && $0.reason != "starting" }
        return state.reason ?? ""
    }

    private func peak(_ daemon: RunningDaemon) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.program.identifier)/status", encoding: .utf8)
        let kilobytes = try #require(status.firstMatch(of: /VmHWM:\s*([0-9]+) kB/)?.output.1)
        return try #require(Int(kilobytes))
    }

    @Test(arguments: [
        #"b'<!DOCTYPE context SYSTEM "http://127.0.0.1:%d/x.dtd"><context name="n"/>' % http"#,
        #"b'<!DOCTYPE context [<!ENTITY e SYSTEM "http://127.0.0.1:%d/x">]><context name="n">&e;</context>' % http"#,
        #"b'<!DOCTYPE context [<!ENTITY %% e SYSTEM "http://127.0.0.1:%d/x"> %%e;]><context name="n"/>' % http"#,
        #"b'<?oasis-xml-catalog catalog="http://127.0.0.1:%d/x"?><!DOCTYPE context PUBLIC "p" "s"><context/>' % http"#,
    ])
    func `a description with external entities causes no connection and no file access`(xml: String) throws {
        let (daemon, board) = try daemon(facing: xml)
        let reason = try reason(daemon)
        #expect(reason.hasPrefix("no usable accelerometer") || reason.contains("invalid reply"))
        // The board prints a fetch before the end of its connection.
        withExtendedLifetime(daemon) { board.send(SIGTERM) }
        #expect(try board.line() == nil)
    }

    @Test(arguments: [
        // A text of 400 MB; texts below its limit with many small nodes.
        "b'<context name=\"n\">' + b' ' * 400_000_000 + b'</context>'",
        "b'<context name=\"n\">' + b'<a/>' * 1_000_000 + b'</context>'",
        "b'<context name=\"n\">' + b'<device id=\"a\"/>' * 230_000 + b'</context>'",
    ])
    func `a description above the memory limits is refused with the limits`(xml: String) throws {
        let (daemon, board) = try daemon(facing: xml)
        let reason = try reason(daemon)
        #expect(reason.hasSuffix("its description exceeds 4 MiB of text or 32 MiB of memory"), "\(reason)")
        #expect(try peak(daemon) < 128 << 10)
        withExtendedLifetime(board) {}
    }

    @Test func `entities that expand to gigabytes take no memory`() throws {
        let xml = """
            ('<!DOCTYPE context [<!ENTITY e0 "' + 'x' * 1000 + '">' + ''.join(f'<!ENTITY e{n} "' + f'&e{n - 1};' * 10 + '">' \
            for n in range(1, 10)) + ']><context name="n" description="&e9;"/>').encode()
            """
        let (daemon, board) = try daemon(facing: xml)
        let reason = try reason(daemon)
        #expect(reason.contains("cannot open the IIO context"))
        #expect(try peak(daemon) < 128 << 10)
        withExtendedLifetime(board) {}
    }

    @Test func `a board with a thousand attributes is read`() throws {
        let (daemon, board) = try daemon(
            facing: #"context(more=''.join(f'<attribute name="a{n}"/>' for n in range(1000)))"#)
        _ = try daemon.tool("watch", "--json").state { $0.orientation == "faceUp" }
        withExtendedLifetime(board) {}
    }

    @Test func `messages of libxml2 are logged by line, without control characters`() throws {
        let xml = #"b'<?xml version="1.0"?><\n<0>forged\n<0>forged \x1b[31m\xc2\x9b'"#
        let (daemon, board) = try daemon(facing: xml)
        _ = try reason(daemon)
        daemon.program.send(SIGTERM)
        _ = daemon.program.wait()
        let lines = daemon.program.errorText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("orientationd: ") }, "\(lines)")
        // libxml2 quotes the document: with the next line in Debian 13, and up to the error in later releases.
        #expect(lines.contains { $0.contains("library: <") }, "\(lines)")
        #expect(
            !daemon.program.errorText.unicodeScalars.contains {
                $0 != "\n" && $0.properties.generalCategory == .control
            })
        withExtendedLifetime(board) {}
    }
}
