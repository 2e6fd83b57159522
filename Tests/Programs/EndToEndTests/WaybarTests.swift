// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// `watch --waybar`, with states set by the test.
@Suite(.serialized) struct WaybarTests {
    private func state(_ sequence: Int, _ edge: Edge, isLocked: Bool = false) -> OrientationState {
        OrientationState(
            orientation: DeviceOrientation(edge), lastEdge: edge, isLocked: isLocked, lockedTo: isLocked ? edge : nil,
            sequence: sequence, instance: "one")
    }

    @Test func `each change is a line, and the same line is not repeated`() throws {
        let folder = try TemporaryDirectory()
        var daemon: StubDaemon? = try StubDaemon(at: folder.socket, state: state(1, .portrait))
        let watch = try RunningProgram(Programs.tool, toolOptions(folder.socket, for: "watch") + ["watch", "--waybar"])
        let upright = #"{"text":"↑","alt":"portrait","tooltip":"top edge up: display needs no rotation.","#
        #expect(try watch.line() == upright + #""class":[]}"#)
        daemon?.publish(state(2, .portrait))
        daemon?.publish(state(3, .portrait, isLocked: true))
        #expect(try watch.line()?.hasSuffix(#"display locked at 0°.","class":["locked"]}"#) == true)
        daemon = nil
        #expect(try watch.lines { $0.contains("disconnected") }.count == 1)
        daemon = try StubDaemon(at: folder.socket, state: state(1, .portrait))
        let lines = try watch.lines { $0.hasPrefix(upright) }
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix(#""class":["disconnected"]}"#) })
        watch.send(SIGTERM)
        #expect(watch.wait() == 0 && watch.errorText == "")
    }

    @Test func `the sensor stops while the rotation lock is on, unless a rotation may be suggested`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        func isSensorOpen() throws -> Bool {
            try daemon.runTool("daemon", "--json").output.joined().contains(#""sensor":"#)
        }
        let watch = try daemon.tool("watch", "--waybar")
        _ = try watch.lines { $0.contains(#""alt":"portrait""#) }
        #expect(try daemon.runTool("lock", "here").output == ["rotation lock: on (top edge up)"])
        #expect(try watch.line()?.contains("locked at 0°") == true)
        #expect(try eventually { try !isSensorOpen() })
        try daemon.simulate("landscapeLeft")
        let suggestion = try daemon.tool("watch", "--waybar", "--suggest")
        _ = try suggestion.lines { $0.contains("suggestion") }
        #expect(try isSensorOpen())
        #expect(try daemon.runTool("lock", "here").output == ["rotation lock: on (right edge up)"])
        #expect(try suggestion.line()?.hasPrefix(#"{"text":"","#) == true)
        suggestion.send(SIGTERM)
        #expect(suggestion.wait() == 0)
        #expect(try eventually { try !isSensorOpen() })
        #expect(try daemon.runTool("unlock").status == 0)
        // The first line has the first reading.
        let lines = try watch.lines { $0.contains("needs 270°") }
        #expect(lines.last?.contains(#""class":[]"#) == true && !lines.contains { $0.contains("unknown") })
    }
}
