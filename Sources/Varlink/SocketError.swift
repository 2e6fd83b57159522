// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Why an operation on a socket failed, sorted by what the caller does next.
public enum SocketError: Error, Hashable, Sendable {
    /// The peer is gone: close.
    case peerGone
    /// The peer passed file descriptors, which no method takes: close.
    case descriptorsPassed
    /// Nobody serves this path, or nobody yet: try again later.
    case notServed(path: String)
    /// The service has no room for another connection at the moment: try again later.
    case busy(path: String)
    /// Somebody else already serves this path: choose another, or give up.
    case alreadyServed(path: String)
    /// There is a file of another kind at this path: remove it, or choose another path.
    case pathTaken(path: String)
    /// The path does not fit into a socket's address, which has room for `maximum` bytes: choose a shorter one.
    case pathTooLong(path: String, maximum: Int)
    /// The path is empty or contains a NUL: choose another.
    case pathUnusable(path: String)
    /// Other users may write to the folder, and could replace the socket: change its mode, or choose another path.
    case folderWritable(folder: String)
    /// This process or the system has no descriptor left: try again when one was closed.
    case outOfDescriptors
    /// Anything else, with the operation and its `errno`: give up on it.
    case failed(operation: String, errno: Int32)
}

extension SocketError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .peerGone: "the connection was closed"
        case .descriptorsPassed: "the peer passed file descriptors, which are not accepted"
        case .notServed(let path): "nobody listens at \(path)"
        case .busy(let path): "the service at \(path) is too busy to accept a connection"
        case .alreadyServed(let path): "another process already listens at \(path)"
        case .pathTaken(let path): "\(path) is there and is no socket: remove it, or name another path"
        case .pathTooLong(let path, let maximum):
            "the socket path \(path) has \(path.utf8.count) bytes; at most \(maximum) are possible"
        case .pathUnusable(let path): "'\(path)' is no path for a socket"
        case .folderWritable(let folder):
            "\(folder): cannot listen there: other users may write to it and could replace the socket; "
                + "change its owner or mode (chmod go-w), or name another path"
        case .outOfDescriptors: "no file descriptor is left"
        case .failed(let operation, let number): "\(operation): \(String(cString: strerror(number)))"
        }
    }
}

extension SocketError {
    /// The error of an operation that has just failed.
    static func current(_ operation: String) -> SocketError {
        switch errno {
        case EPIPE, ECONNRESET, ENOTCONN: .peerGone
        case EMFILE, ENFILE: .outOfDescriptors
        case let number: .failed(operation: operation, errno: number)
        }
    }
}
