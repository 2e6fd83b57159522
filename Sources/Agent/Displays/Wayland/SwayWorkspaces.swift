// SPDX-License-Identifier: Apache-2.0

/// sway's workspaces, through its IPC: sway 1.10 has no ext-workspace.
final class SwayWorkspaces {
    private var connection: SwayConnection?

    /// Connects to sway; nil if this fails: a path may be that of an earlier sway. `ended` is called with nil if sway sends what
    /// is not valid, else with the reason.
    init?(
        _ session: DisplaySession, process: Int32?, changed: @escaping () -> Void,
        ended: @escaping (String?) -> Void
    ) {
        for path in SwayConnection.paths(in: session, process: process) where connection == nil {
            connection = try? SwayConnection(path, on: session.loop) { [unowned self] event in
                switch event {
                case .workspaceChanged: changed()
                case .ended(let reason):
                    connection = nil
                    ended(reason)
                case .invalid:
                    connection = nil
                    ended(nil)
                case .inputs, .inputChanged, .reloaded, .refused: break
                }
            }
        }
        guard let connection else { return nil }
        connection.send(.subscribe(.workspaces))
    }
}
