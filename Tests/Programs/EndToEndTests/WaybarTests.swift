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
}
