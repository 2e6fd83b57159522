// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Varlink

/// Where the daemon's socket is looked for, and which users may serve there.
package struct SocketPath: Sendable {
    /// Where the system's daemon listens.
    static let system = "/run/orientationd/orientationd.sock"

    /// The paths to try; the first that is there is taken.
    let candidates: [String]
    /// Whether the app or the environment named the path: any user may serve there then.
    private let isNamed: Bool

    /// The path that the app gave, else that of the environment's `ORIENTATIOND_SOCKET`, else the system's, else that of
    /// the user's own daemon.
    init(explicit: String?, environment: (String) -> String?) {
        if let path = explicit ?? Self.nonEmpty(environment("ORIENTATIOND_SOCKET")) {
            candidates = [path]
            isNamed = true
        } else {
            let directory = Self.nonEmpty(environment("XDG_RUNTIME_DIR"))
            candidates = [Self.system] + (directory.map { ["\($0)/orientationd.sock"] } ?? [])
            isNamed = false
        }
    }

    /// The path as this process's environment has it.
    package init(explicit: String?) {
        self.init(explicit: explicit) { name in getenv(name).map { String(cString: $0) } }
    }

    /// The path to connect to now; asked anew before every attempt, since a socket may come and go.
    package var current: String { choose { access($0, F_OK) == 0 } }

    /// Whether that is the system's daemon.
    package var isSystems: Bool { current == Self.system }

    /// The first that is there; where none is, the first of all, so that an error names the place where it belongs.
    func choose(isThere: (String) -> Bool) -> String {
        candidates.first(where: isThere) ?? candidates[0]
    }

    /// Connects to the daemon.
    ///
    /// - Throws: `SocketError`, and `OrientationServiceError` where a user serves who may not.
    func connect() throws -> StreamSocket {
        let path = current
        let socket = try StreamSocket.connect(to: path)
        let user = try socket.peerCredentials().user
        guard mayServe(user, at: path, ownUser: geteuid(), ownerOfFolder: Self.owner(ofFolderOf: path)) else {
            throw OrientationServiceError.notConnected(
                reason: "\(path): refused: it is served by user \(user), not by root or "
                    + (path == Self.system ? "the owner of its folder" : "user \(geteuid())")
                    + "; to use it all the same, name it with --socket or ORIENTATIOND_SOCKET")
        }
        return socket
    }

    /// Whether a socket that a user listens on is the daemon's: the system's belongs to root, as systemd makes it, or to the
    /// owner of its folder, which root made; a user's own belongs to that user or to root. So a program that root runs with
    /// another user's XDG_RUNTIME_DIR does not talk to that user's programs.
    func mayServe(_ user: UInt32, at path: String, ownUser: UInt32, ownerOfFolder: UInt32?) -> Bool {
        if isNamed || user == 0 { return true }
        if path == Self.system { return user == ownerOfFolder }
        // 65534 stands for every user without a number in this user namespace.
        return user == ownUser && user != 65_534
    }

    private static func owner(ofFolderOf path: String) -> UInt32? {
        var status = stat()
        guard let end = path.lastIndex(of: "/"), lstat(String(path[..<end]), &status) == 0 else { return nil }
        return status.st_uid
    }

    private static func nonEmpty(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }
}
