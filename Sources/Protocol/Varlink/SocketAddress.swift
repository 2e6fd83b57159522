// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// The address of a Unix socket in the file system.
struct SocketAddress {
    private var address = sockaddr_un()
    private let path: String

    /// The maximum length of a path, in bytes, without the NUL.
    static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    init(path: String) throws(SocketError) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { throw .pathUnusable(path: path) }
        guard bytes.count <= Self.maximumPathBytes else {
            throw .pathTooLong(path: path, maximum: Self.maximumPathBytes)
        }
        self.path = path
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Passes the address to a socket function.
    func with(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Connects a socket of ``makeSocket()``, without blocking: the kernel connects at once, or refuses if the backlog of the
    /// service is full.
    func connect(_ socket: Int32) throws(SocketError) {
        guard with({ Glibc.connect(socket, $0, $1) }) == 0 else {
            switch errno {
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .notServed(path: path)
            case EAGAIN: throw .busy(path: path)
            default: throw .current("connect to \(path)")
            }
        }
    }

    /// Creates a stream socket with `O_NONBLOCK` and `FD_CLOEXEC`.
    static func makeSocket() throws(SocketError) -> OwnedDescriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        do throws(Errno) { return try OwnedDescriptor(socket(AF_UNIX, kind, 0)) } catch {
            throw SocketError(error, "create a socket")
        }
    }
}
