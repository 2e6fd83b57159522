// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Who may do more than read the orientation.
///
/// Raw motion can reveal what a user types, and the other interfaces change what all apps see. They are for root, the
/// daemon's own user and the group `orientation`; the rotation lock besides for users with an active session at the seat.
struct Authority {
    /// The group for people, which the package makes. The group `orientationd` is for the service alone: it owns the
    /// sensors' device nodes and the attributes that capture writes.
    static let groupName = "orientation"

    /// The number of the account `nobody`, which is also what the kernel reports for each user that has no number in this
    /// user namespace (`/proc/sys/kernel/overflowuid`). It may mean any user, so it is never trusted.
    static let unmappedUser: UInt32 = 65_534

    private let ownUser: UInt32
    /// The number of the group ``groupName``; nil where it does not exist, or is not known yet.
    var group: UInt32?

    /// The authority of a daemon that runs as `ownUser`, on a machine whose group `orientation` has the number `group`.
    init(ownUser: UInt32, group: UInt32?) {
        self.ownUser = ownUser
        self.group = group
    }

    /// Whether a client may do everything, with the groups that it had when it connected.
    func isTrusted(user: UInt32, groups: Set<UInt32>) -> Bool {
        if user == Self.unmappedUser { return false }
        return user == 0 || user == ownUser || group.map(groups.contains) ?? false
    }

    /// What a caller must be to do something.
    enum Requirement {
        case trusted
        case trustedOrSeated

        /// What the caller would have to be and is not, for a person; nil where it may.
        func missing(for caller: Caller, isSeated: (_ user: UInt32) -> Bool) -> String? {
            if caller.isTrusted { return nil }
            switch self {
            case .trusted:
                return "root, the daemon's own user, or membership in the group \(groupName)"
            case .trustedOrSeated:
                if caller.user != Authority.unmappedUser, isSeated(caller.user) { return nil }
                return "an active session at this machine, root, or membership in the group \(groupName)"
            }
        }
    }
}
