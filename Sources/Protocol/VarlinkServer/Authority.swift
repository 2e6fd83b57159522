// SPDX-License-Identifier: Apache-2.0

/// Decides which clients may connect, and which of them have all permissions.
///
/// In the daemon, raw motion can reveal what a user types, and the other interfaces affect all apps. They are restricted to
/// root, the daemon's own user and the group `orientation`; the rotation lock also to users with an active session at the
/// seat. The service of a session is restricted to its user and root.
package struct Authority {
    /// The group for users, created by the package. The group `orientationd` is for the service alone: it owns the
    /// sensors' device nodes and the attributes that capture writes.
    package static let groupName = "orientation"

    /// The overflow user ID (`/proc/sys/kernel/overflowuid`), which the kernel reports for users that are not mapped in
    /// this user namespace. It may mean any user, so it is never trusted.
    package static let unmappedUser: UInt32 = 65_534

    private let ownUser: UInt32
    /// The id of the group ``groupName``; nil if it does not exist or is not known yet.
    package var group: UInt32?
    /// Whether only trusted clients may connect.
    private let isPrivate: Bool

    /// The authority of a service that runs as `ownUser`, on a machine whose group `orientation` has the id `group`.
    package init(ownUser: UInt32, group: UInt32?, isPrivate: Bool = false) {
        self.ownUser = ownUser
        self.group = group
        self.isPrivate = isPrivate
    }

    /// Whether a client has all permissions; `isMember` returns whether it was in a group when it connected, and is called only
    /// if the user does not decide.
    package func isTrusted(user: UInt32, isMember: (_ group: UInt32) -> Bool) -> Bool {
        if user == Self.unmappedUser { return false }
        return user == 0 || user == ownUser || group.map(isMember) ?? false
    }

    /// Returns the users that may connect, as a message; nil if this client may.
    func missingForConnection(user: UInt32, isMember: (_ group: UInt32) -> Bool) -> String? {
        isPrivate && !isTrusted(user: user, isMember: isMember) ? "the user \(ownUser) or root" : nil
    }

    /// The permission that a call requires.
    package enum Requirement {
        case trusted
        case trustedOrSeated
        /// Only a user at the device: what the call changes is their desktop.
        case seated

        /// Returns the missing requirement as a message; nil if the caller meets it.
        package func missing(for caller: Caller, isSeated: (_ user: UInt32) -> Bool) -> String? {
            if self != .seated, caller.isTrusted { return nil }
            if self != .trusted, caller.user != Authority.unmappedUser, isSeated(caller.user) { return nil }
            let session = "an active session of logind at this machine"
            return switch self {
            case .trusted: "root, the daemon's own user, or membership in the group \(groupName)"
            case .trustedOrSeated: "\(session), root, or membership in the group \(groupName), which needs no session"
            case .seated: session
            }
        }
    }
}
