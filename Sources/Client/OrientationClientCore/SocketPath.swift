// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationWire
internal import Posix
package import Varlink

/// The path of the socket of the daemon, or of the session agent, and the users that are trusted to serve it.
package struct SocketPath: Sendable {
    /// The socket of the system daemon.
    static let system = "/run/orientationd/orientationd.sock"

    /// The possible paths; the first existing one is used.
    let candidates: [String]
    /// Whether the path is explicit or from `$ORIENTATIOND_SOCKET`: then every user is trusted.
    private let isNamed: Bool
    /// How to use the service of another user.
    private let remedy: String

    /// Uses the explicit path, else `$ORIENTATIOND_SOCKET`, else the system daemon, else the user's daemon.
    init(explicit: String?, environment: (String) -> String?) {
        remedy = "to use it, pass the path in --socket or ORIENTATIOND_SOCKET"
        if let path = explicit ?? environment("ORIENTATIOND_SOCKET") {
            candidates = [path]
            isNamed = true
        } else {
            let directory = environment("XDG_RUNTIME_DIR")
            candidates = [Self.system] + (directory.map { ["\($0)/orientationd.sock"] } ?? [])
            isNamed = false
        }
    }

    /// Uses the explicit path or the environment of this process.
    package init(explicit: String?) {
        self.init(explicit: explicit) { Environment[$0] }
    }

    /// Uses the session agent of a runtime directory.
    package init(agentIn runtimeDirectory: String) {
        candidates = [SessionInterface.socket(in: runtimeDirectory)]
        isNamed = false
        remedy = "set XDG_RUNTIME_DIR to a directory of this user, such as /run/user/\(getuid())"
    }

    /// The path to connect to; evaluated before each attempt, since sockets appear and disappear.
    package var current: String { choose { access($0, F_OK) == 0 } }

    /// Whether ``current`` is the socket of the system daemon.
    package var isSystem: Bool { current == Self.system }

    /// Returns the first existing candidate; without one the first candidate, so that an error names the standard path.
    func choose(exists: (String) -> Bool) -> String {
        candidates.first(where: exists) ?? candidates[0]
    }

    /// Connects to the service.
    ///
    /// - Throws: `SocketError`, and `OrientationServiceError` if the service runs as an untrusted user.
    package func connect() throws -> StreamSocket {
        let path = current
        let socket = try StreamSocket.connect(to: path)
        let user = try socket.peerCredentials().user
        guard trusts(user, at: path, ownUser: geteuid(), folderOwner: Self.owner(ofFolderOf: path)) else {
            throw OrientationServiceError.notConnected(
                reason: "\(path): untrusted service: runs as user \(user), not as root or "
                    + (path == Self.system ? "the owner of the folder" : "user \(geteuid())")
                    + "; \(remedy)")
        }
        return socket
    }

    /// Returns whether a service that runs as `user` is trusted at `path`.
    ///
    /// Trusted are root and, for the system socket, the owner of its folder, which root created; for a user's socket,
    /// that user. So a program that root runs with another user's XDG_RUNTIME_DIR does not connect to that user's
    /// programs.
    func trusts(_ user: UInt32, at path: String, ownUser: UInt32, folderOwner: UInt32?) -> Bool {
        if isNamed || user == 0 { return true }
        if path == Self.system { return user == folderOwner }
        // 65534 represents every user that has no id in this user namespace.
        return user == ownUser && user != 65_534
    }

    private static func owner(ofFolderOf path: String) -> UInt32? {
        var status = stat()
        guard let end = path.lastIndex(of: "/"), lstat(String(path[..<end]), &status) == 0 else { return nil }
        return status.st_uid
    }
}

extension OrientationServiceError {
    /// Whether the reason says what to do: ``SocketPath/connect()`` found the service of another user.
    package var saysWhatToDo: Bool {
        if case .notConnected(let reason) = self { reason.contains(": untrusted service: ") } else { false }
    }
}
