// SPDX-License-Identifier: Apache-2.0

/// sway's workspaces, through its IPC: sway 1.10 has no ext-workspace.
final class SwayWorkspaces {
    private var connection: SwayConnection?

    /// Connects to sway; nil if this fails. `ended` is called when sway closes the connection.
    init?(
        _ session: DisplaySession, process: Int32?, changed: @escaping () -> Void,
        ended: @escaping () -> Void
    ) {
        for path in SwayConnection.paths(in: session, process: process) where connection == nil {
            // Without sway at this path the next one is tried; without any the workspaces are unknown.
            connection = try? SwayConnection(path, on: session.loop) { [unowned self] event in
                switch event {
                case .workspaceChanged: changed()
                case .ended:
                    connection = nil
                    ended()
                case .inputs, .inputChanged, .reloaded, .refused: break
                }
            }
        }
        guard let connection else { return nil }
        connection.send(.subscribe(.workspaces))
    }
}
