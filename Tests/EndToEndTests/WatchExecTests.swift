// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import Testing

/// `orientationctl watch --exec`, with states that the test sets.
@Suite(.serialized) struct ACommandOnEachChange {
    private let folder: TemporaryFolder
    private let daemon: StubDaemon
    /// Where commands write to; each line is an event to wait for.
    private let told: RunningProgram

    init() throws {
        folder = try TemporaryFolder()
        for pipe in ["told", "go"] { #expect(mkfifo(folder.path + "/" + pipe, 0o600) == 0) }
        daemon = try StubDaemon(at: folder.path + "/socket", state: Self.state(1, .portrait))
        // Open at both ends, so that it does not end with the first command.
        told = try RunningProgram("/bin/sh", ["-c", "exec cat <> '\(folder.path)/told'"])
    }

    private static func state(_ sequence: Int, _ orientation: DeviceOrientation) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: Edge(orientation) ?? .portrait, tabletMode: true, sequence: sequence,
            instance: "one")
    }

    private func watch(_ command: String) throws -> RunningProgram {
        try RunningProgram(
            Programs.tool,
            ["--socket", folder.path + "/socket", "watch", "--json", "--debounce", "0", "--exec", command],
            environment: ["TOLD": folder.path + "/told", "GO": folder.path + "/go"])
    }

    @Test func `it is run for the first state and each change, with the state in its environment`() throws {
        let watch = try watch(
            #"echo "$SEQUENCE $PREVIOUS_ORIENTATION>$ORIENTATION $EDGE $LOCKED<$LOCKED_TO> $TABLET_MODE" > "$TOLD""#)
        #expect(try told.line() == "1 >portrait portrait 0<> 1")
        daemon.publish(Self.state(2, .faceUp))
        #expect(try told.line() == "2 portrait>faceUp portrait 0<> 1")
        var locked = Self.state(3, .landscapeLeft)
        (locked.isLocked, locked.lockedTo, locked.tabletMode) = (true, .portrait, nil)
        daemon.publish(locked)
        #expect(try told.line() == "3 faceUp>landscapeLeft landscapeLeft 1<portrait> ")
        watch.send(SIGINT)
        #expect(watch.wait() == 0)
        #expect(watch.errorText.isEmpty)
    }

    @Test func `one runs at a time, and after it the newest state wins`() throws {
        let watch = try watch(
            #"echo "begins $SEQUENCE" > "$TOLD"; read line < "$GO"; echo "ends $SEQUENCE" > "$TOLD""#)
        #expect(try told.line() == "begins 1")
        for (sequence, orientation) in [(2, DeviceOrientation.faceUp), (3, .faceDown), (4, .landscapeRight)] {
            daemon.publish(Self.state(sequence, orientation))
            _ = try watch.states(until: orientation.description)
        }
        try go()
        #expect(try told.line() == "ends 1")
        #expect(try told.line() == "begins 4")
        try go()
        #expect(try told.line() == "ends 4")
    }

    @Test func `one that fails is told, and the next change is still acted upon`() throws {
        let watch = try watch(#"echo "$ORIENTATION" > "$TOLD"; exit 3"#)
        #expect(try told.line() == "portrait")
        daemon.publish(Self.state(2, .faceUp))
        #expect(try told.line() == "faceUp")
        watch.send(SIGTERM)
        #expect(watch.wait() == 0)
        #expect(watch.errorText.contains("orientationctl: --exec: exited with status 3"))
    }

    @Test func `it ends with us, and so does what it has started`() throws {
        let watch = try watch(#"sleep 1000 & echo "$$ $!" > "$TOLD"; wait"#)
        let line = try #require(try told.line())
        let processes = line.split(separator: " ").compactMap { pid_t($0) }
        #expect(processes.count == 2)
        watch.send(SIGINT)
        #expect(watch.wait() == 0)
        for process in processes { #expect(eventually { kill(process, 0) != 0 || Self.isZombie(process) }) }
    }

    @Test func `it begins with no signal ignored, although we do something else with them`() throws {
        let watch = try watch(#"grep SigIgn /proc/self/status > "$TOLD""#)
        let ignored = try #require(try told.line()?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        // Beyond the first 31 are those that the C library keeps for itself.
        #expect(ignored & 0x7fff_ffff == 0)
        watch.send(SIGTERM)
        #expect(watch.wait() == 0)
    }

    private func go() throws {
        let pipe = try #require(FileHandle(forWritingAtPath: folder.path + "/go"))
        try pipe.write(contentsOf: Data("go\n".utf8))
        try pipe.close()
    }

    /// Who is the parent of those left over need not ask for their status.
    private static func isZombie(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z") ?? true
    }
}
