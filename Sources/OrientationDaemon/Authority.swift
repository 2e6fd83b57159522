// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Systemd
internal import Varlink

/// Who may do more than ask how the device is held.
///
/// Raw motion can tell what somebody types, and the other interfaces change what all apps see. They are for root, the
/// daemon's own user and the group `orientationd`; the rotation lock besides for whoever sits at the machine.
struct Authority {
    /// The group that the package makes.
    static let groupName = "orientationd"

    /// What a client must be to do something.
    enum Requirement {
        case trusted
        case trustedOrSeated
    }

    /// A client, as far as it matters here.
    struct Client {
        var user: UInt32
        /// Its groups, when it connected; asked for only where they matter.
        var groups: () -> Set<UInt32>
        /// Whether the user has an active session on a seat.
        var isSeated: () -> Bool
    }

    private let ownUser: UInt32
    private let group: UInt32?

    /// The authority of a daemon that runs as `ownUser`, on a machine whose group `orientationd` has the number `group`.
    init(ownUser: UInt32, group: UInt32?) {
        self.ownUser = ownUser
        self.group = group
    }

    /// The authority of this process.
    static func ofThisProcess() -> Authority {
        Authority(ownUser: geteuid(), group: getgrnam(groupName)?.pointee.gr_gid)
    }

    /// What the client would need and has not, for a person; nil where it may.
    func missing(_ requirement: Requirement, for client: Client) -> String? {
        if client.user == 0 || client.user == ownUser { return nil }
        if let group, client.groups().contains(group) { return nil }
        switch requirement {
        case .trusted:
            return "root, the daemon's own user, or membership in the group \(Self.groupName)"
        case .trustedOrSeated:
            if client.isSeated() { return nil }
            return "an active session at this machine, root, or membership in the group \(Self.groupName)"
        }
    }
}

extension Authority.Client {
    /// The client at the other end of a session.
    init(_ session: ClientSession) {
        self.init(
            user: session.user, groups: { session.groups() },
            isSeated: { LoginSessions.hasActiveSeat(user: session.user) })
    }
}
