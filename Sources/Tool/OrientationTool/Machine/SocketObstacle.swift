// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why no socket can be reached at a path.
enum SocketObstacle: Hashable {
    case absent
    case notSocket
    /// This user may not search the folder, or not write to the socket.
    case denied(String)

    /// Examines a path; nil if it is a socket that this user may use.
    init?(at path: String) {
        let folders = path.indices.dropFirst().filter { path[$0] == "/" }.map { String(path[..<$0]) }
        // With a slash: a file is no folder that may not be searched.
        let denied = (folders.map { ($0, $0 + "/", X_OK) } + [(path, path, W_OK)])
            .first { access($1, $2) != 0 && errno == EACCES }?.0
        let mode = SystemRoot.this.status(path)?.st_mode
        if let mode, mode & S_IFMT != S_IFSOCK {
            self = .notSocket
        } else if let denied {
            self = .denied(denied)
        } else if mode == nil {
            self = .absent
        } else {
            return nil
        }
    }
}
