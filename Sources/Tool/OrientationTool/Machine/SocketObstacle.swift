// SPDX-License-Identifier: Apache-2.0

import Glibc
import Varlink

/// Why no service can be reached at the path of a socket.
enum SocketObstacle: Hashable {
    case absent
    /// The folder of the socket does not exist.
    case noFolder(String)
    case notSocket
    /// This user may not search the folder, or not write to the socket.
    case denied(String)
    /// No process listens at the socket.
    case refused
    /// More programs connect than the service accepts.
    case busy

    /// Examines a path; nil if a service accepts connections, or it is not known why not.
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
            let folder = folders.last ?? "."
            self = SystemRoot.this.exists(folder) ? .absent : .noFolder(folder)
        } else {
            do throws(SocketError) { _ = try StreamSocket.connect(to: path) } catch .notServed {
                self = .refused
                return
            } catch .busy {
                self = .busy
                return
            } catch {}
            return nil
        }
    }
}
