// SPDX-License-Identifier: Apache-2.0

/// sway's workspaces, through its IPC: sway 1.10 has no ext-workspace.
final class SwayWorkspaces {
    private var connection: SwayConnection?

    /// Connects to sway; nil if this fails. `ended` is called when sway closes the connection.
    init?(
        _ session: DisplaySession, process: Int32?, changed: @escaping () -> Void,
        ended: @escaping () -> Void
    ) {
        connection =
            SwayConnection.open(session, process: process) { [unowned self] event in
                switch event {
                case .workspaceChanged: changed()
                case .ended:
                    connection = nil
                    ended()
                case .inputs, .inputChanged, .darkOutputs, .outputChanged, .reloaded, .refused: break
                }
            }.connection
        guard let connection else { return nil }
        connection.send(.subscribe(.workspaces))
    }
}
