// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Posix

/// An error of a socket operation; each case states what the caller does next.
public enum SocketError: Error, Hashable, Sendable {
    /// The peer has disconnected: close.
    case peerGone
    /// The peer passed file descriptors, which no method takes: close.
    case descriptorsPassed
    /// No process listens at the path: retry later.
    case notServed(path: String)
    /// The backlog of the service is full: retry later.
    case busy(path: String)
    /// Another process listens at the path: choose another path, or exit.
    case alreadyServed(path: String)
    /// The path is a file other than a socket: choose another path.
    case pathTaken(path: String)
    /// The path is longer than `maximum` bytes, the limit of a socket address: choose a shorter path.
    case pathTooLong(path: String, maximum: Int)
    /// The path is empty or contains a NUL: choose another path.
    case pathUnusable(path: String)
    /// Other users can write to the folder and replace the socket: change its mode, or choose another path.
    case folderWritable(folder: String)
    /// The limit on open files of the process or the system is reached: retry after closing a descriptor.
    case outOfDescriptors
    /// Any other error: the attempted operation, and the errno.
    case failed(operation: String, errno: Int32)
}

extension SocketError: CustomStringConvertible {
    /// The error on one line, for messages.
    public var description: String {
        switch self {
        case .peerGone: "connection closed by peer"
        case .descriptorsPassed: "the peer passed file descriptors, which are not accepted"
        case .notServed(let path): "cannot connect to \(path): no service is listening"
        case .busy(let path): "cannot connect to \(path): too many connections are waiting; try again"
        case .alreadyServed(let path):
            "cannot listen at \(path): another process is listening there; end it, or choose another path"
        case .pathTaken(let path): "cannot listen at \(path): not a socket; choose another path"
        case .pathTooLong(let path, let maximum):
            "invalid socket path \(path): has \(path.utf8.count) bytes, must have at most \(maximum)"
        case .pathUnusable(let path): "invalid socket path '\(path)': must not be empty or contain a NUL"
        case .folderWritable(let folder):
            "cannot listen in \(folder): other users can write to it and replace the socket; "
                + "change its owner or mode (chmod go-w), or choose another path"
        case .outOfDescriptors: "cannot open a socket: \(Errno(EMFILE))"
        case .failed(let operation, let number): "cannot \(operation): \(Errno(number))"
        }
    }
}

extension SocketError {
    /// Returns the error for the current `errno`.
    static func current(_ operation: String) -> SocketError { SocketError(.current, operation) }

    package init(_ error: Errno, _ operation: String) {
        self =
            switch error.code {
            case EPIPE, ECONNRESET, ENOTCONN: .peerGone
            case EMFILE, ENFILE: .outOfDescriptors
            default: .failed(operation: operation, errno: error.code)
            }
    }
}
