// SPDX-License-Identifier: Apache-2.0

/// Reports each change of the workspace with sway's IPC. The focus leaves the window in front when the user changes to an empty
/// workspace, as when a launcher opens; wlr-foreign-toplevel-management does not distinguish these.
final class SwayWorkspaces {
    private var connection: SwayConnection?

    /// Connects to sway; nil if this fails. `ended` is called when sway closes the connection.
    init?(
        _ session: DisplaySession, process: Int32?, changed: @escaping @MainActor () -> Void,
        ended: @escaping @MainActor () -> Void
    ) {
        for path in SwayConnection.paths(in: session, process: process) where connection == nil {
            connection = try? SwayConnection(path, on: session.loop) { [unowned self] event in
                switch event {
                case .workspaceChanged: changed()
                case .ended:
                    connection = nil
                    ended()
                case .inputs, .inputChanged, .refused: break
                }
            }
        }
        guard let connection else { return nil }
        connection.send(.subscribe(.workspaces))
    }
}
