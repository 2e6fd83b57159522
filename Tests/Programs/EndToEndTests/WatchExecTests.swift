// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// `orientationctl watch --exec`, with states set by the test.
@Suite(.serialized) struct WatchExecTests {
    private let folder: TemporaryDirectory
    private let daemon: StubDaemon
    /// The reader of the commands' FIFO; each line is an event to wait for.
    private let log: RunningProgram

    init() throws {
        folder = try TemporaryDirectory()
        for pipe in ["log", "go"] { #expect(mkfifo(folder.path + "/" + pipe, 0o600) == 0) }
        daemon = try StubDaemon(at: folder.path + "/socket", state: Self.state(1, .portrait))
        // Opened for reading and writing, so that the end of a command is not the end of the file.
        log = try RunningProgram("/bin/sh", ["-c", "exec cat <> '\(folder.path)/log'"])
    }

    private static func state(_ sequence: Int, _ orientation: DeviceOrientation) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: Edge(orientation) ?? .portrait, tabletMode: true, sequence: sequence,
            instance: "one")
    }

    private func watch(_ command: String) throws -> RunningProgram {
        try RunningProgram(
            Programs.tool,
            toolOptions(folder.path + "/socket", for: "watch") + [
                "watch", "--json", "--debounce", "0", "--exec", command,
            ],
            environment: ["LOG": folder.path + "/log", "GO": folder.path + "/go"])
    }

    @Test func `the command runs for the first state and each change, with the state in its environment`() throws {
        let watch = try watch(
            """
            echo "$SEQUENCE $PREVIOUS_ORIENTATION>$ORIENTATION $EDGE $PANEL_EDGE $ROTATION $NATURAL \
            $LOCKED<$LOCKED_TO> $TABLET_MODE" > "$LOG"
            """)
        #expect(try log.line() == "1 >portrait portrait top 0 portrait 0<> 1")
        daemon.publish(Self.state(2, .faceUp))
        #expect(try log.line() == "2 portrait>faceUp portrait top 0 portrait 0<> 1")
        var locked = Self.state(3, .landscapeLeft)
        (locked.isLocked, locked.lockedTo, locked.tabletMode) = (true, .portrait, nil)
        daemon.publish(locked)
        #expect(try log.line() == "3 faceUp>landscapeLeft landscapeLeft right 270 portrait 1<portrait> ")
        watch.send(SIGINT)
        #expect(watch.wait() == 0)
        #expect(watch.errorText.isEmpty)
    }

    @Test func `the end of watch ends the command and its children`() throws {
        let watch = try watch(#"sleep 1000 & echo "$$ $!" > "$LOG"; wait"#)
        let line = try #require(try log.line())
        let processes = line.split(separator: " ").compactMap { pid_t($0) }
        #expect(processes.count == 2)
        watch.send(SIGINT)
        #expect(watch.wait() == 0)
        for process in processes { #expect(eventually { kill(process, 0) != 0 || Self.isZombie(process) }) }
    }

    @Test func `the command starts without ignored or blocked signals`() throws {
        let watch = try watch(#"grep SigIgn /proc/self/status > "$LOG""#)
        let ignored = try #require(try log.line()?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        // Signals above 31 are real-time signals, two of which glibc reserves.
        #expect(ignored & 0x7fff_ffff == 0)
        watch.send(SIGTERM)
        #expect(watch.wait() == 0)
    }

    /// Returns whether a process is a zombie: the parent of orphans may never wait for them.
    private static func isZombie(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z") ?? true
    }
}
