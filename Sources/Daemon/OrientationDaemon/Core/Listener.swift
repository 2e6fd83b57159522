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
        try makeFolder(of: path)
        let socket = try ListeningSocket.bind(to: path, mode: mode, limits: options.limits)
        log.info("listening at \(path)")
        return socket
    }

    /// Creates the socket's folder if it is in a runtime folder, which is empty after boot. Elsewhere a missing folder
    /// means a wrong path.
    private static func makeFolder(of path: String) throws(ListenerError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        let runtime = ["/run", "/var/run"] + [Environment["XDG_RUNTIME_DIR"]].compactMap(\.self)
        if runtime.contains(where: { path.hasPrefix($0 + "/") }) { mkdir(folder, folderMode) }
        if access(folder, F_OK) != 0, Errno.current.isAbsence { throw .noFolder(folder) }
    }
}

/// A failure to choose the path of the socket.
enum ListenerError: Error, CustomStringConvertible {
    case noPath
    case noFolder(String)

    var description: String {
        switch self {
        case .noPath:
            "cannot listen: \(Environment.runtimeDirectoryFault ?? ""); set it to a directory of this user, such as "
                + "/run/user/\(getuid()), or use --socket PATH"
        case .noFolder(let folder):
            "cannot listen: \(folder) does not exist; run 'mkdir -p \(folder)', or use another --socket PATH"
        }
    }
}
