// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// Who was at the other end of a connection when it was made, as the kernel saw it.
public struct PeerCredentials: Hashable, Sendable {
    /// The process, for messages to people only: another may have its number by now. 0 where it is in another
    /// namespace.
    public let process: Int32
    /// The effective user.
    public let user: UInt32
    /// The effective group.
    public let group: UInt32
}

extension StreamSocket {
    /// Who was at the other end when the connection was made.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``.
    public borrowing func peerCredentials() throws(SocketError) -> PeerCredentials {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
        guard cposix_peer_credentials(descriptor, &process, &user, &group) == 0 else {
            throw .current("SO_PEERCRED")
        }
        return PeerCredentials(process: process, user: user, group: group)
    }

    /// The supplementary groups of the peer when the connection was made; the kernel allows 65,536.
    ///
    /// - Throws: ``SocketError/failed(operation:errno:)``.
    public borrowing func peerGroups() throws(SocketError) -> [UInt32] {
        var groups = [gid_t](repeating: 0, count: 32)
        while true {
            var count = groups.count
            if cposix_peer_groups(descriptor, &groups, &count) == 0 {
                return Array(groups.prefix(count))
            }
            // The kernel says how many there are; it never grows, so that this ends.
            guard errno == ERANGE, count > groups.count else { throw .current("SO_PEERGROUPS") }
            groups = [gid_t](repeating: 0, count: count)
        }
    }
}
