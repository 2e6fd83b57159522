// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix
internal import Systemd
internal import Varlink

/// The listening socket: passed by systemd, or created by the daemon.
enum Listener {
    /// Every local user may connect: the orientation is public.
    private static let mode: UInt32 = 0o666
    private static let folderMode: mode_t = 0o755

    static func make(_ options: Options, log: Logger) throws -> ListeningSocket {
        if let descriptor = try ServiceManager.passedSocket() {
            return try ListeningSocket(adopting: descriptor)
        }
        guard let path = options.socketPath else { throw ListenerError.noPath }
        makeFolder(of: path)
        let socket = try ListeningSocket.bind(to: path, mode: mode, limits: options.limits)
        log.info("listening at \(path)")
        return socket
    }

    /// Creates the socket's folder if it is in a runtime folder, which is empty after boot. Elsewhere a missing folder
    /// means a wrong path: bind reports it.
    private static func makeFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let runtime = ["/run", "/var/run"] + [Environment["XDG_RUNTIME_DIR"]].compactMap(\.self)
        guard runtime.contains(where: { path.hasPrefix($0 + "/") }) else { return }
        mkdir(String(path[..<slash]), folderMode)
    }
}

/// A failure to choose the path of the socket.
enum ListenerError: Error, CustomStringConvertible {
    case noPath

    var description: String {
        "cannot listen: \(Environment.noRuntimeDirectory); use --socket PATH"
    }
}
