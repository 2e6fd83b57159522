// SPDX-License-Identifier: Apache-2.0

internal import Posix
internal import Varlink

/// Counts connections by user, and decides which clients may connect when few slots are left. A range of subordinate
/// users counts as one user (``ChargedUser``).
///
/// The last slots are reserved for root and the trusted group, so that no number of other users can exclude them. The
/// other users share a full table evenly: a new connection of a user with few replaces one of a user with many. Replaced
/// connections with unread replies are limited, because their replies stay in memory; half of that limit, and the slots that
/// become free meanwhile, are for users with few connections, so that users with many cannot use it up.
struct ConnectionLimiter {
    /// Which of the reserved slots a client may take.
    enum Rank {
        case other
        /// The trusted group and the daemon's own user.
        case trusted
        case root
    }

    enum Decision: Equatable {
        case admit
        /// Replace the longest-idle connection among users that each have `count` replaceable connections, root
        /// excepted; then admit.
        case replaceIdlest(count: Int)
        case refuse(Limit)
    }

    /// The limit that `LimitReached` reports.
    struct Limit: Equatable {
        let name: String
        let maximum: Int
    }

    /// Slots for root alone: a shell, the doctor and a few monitors.
    private static let reservedForRoot = 16
    /// Slots for root and trusted clients: the programs of one session. A table with few slots reserves an eighth.
    private static let reserved = 64

    /// The number of refused clients whose refusal is unread; others are refused without a message. 32: a client reads
    /// it at once.
    static let refusals = 32
    /// The number of unread refusals per user.
    static let refusalsPerUser = 8
    /// The number of replaced connections with unread replies at which no further connection is replaced: an eighth of
    /// the connections, at most ``maximumReplacements``.
    static func replacements(connections: Int) -> Int { min(connections / 8, maximumReplacements) }
    /// 512: with full send buffers they take 32 MB.
    static let maximumReplacements = 512

    /// The number of connections from which a user has many. 16: the programs of a usual session.
    static let many = 16

    private let limits: Limits
    private var unreadRefusals: [ChargedUser: Int] = [:]
    private var counts: [ChargedUser: Int] = [:]
    private(set) var total = 0
    /// The replaced connections with unread replies, by user: they count for their users, but not in ``total``.
    private var replaced: [ChargedUser: Int] = [:]

    init(limits: Limits) {
        self.limits = limits
    }

    func count(of user: UInt32) -> Int { counts[ChargedUser(user), default: 0] }

    /// Returns the number of connections of `user` that can be replaced.
    func replaceable(of user: UInt32) -> Int { replaceable(ChargedUser(user)) }

    private func replaceable(_ user: ChargedUser) -> Int { counts[user, default: 0] - replaced[user, default: 0] }

    private var reserve: Int { min(Self.reserved, limits.connections / 8) }

    /// Decides on a new connection of `user`, which has `closing` more that are not closed yet. `rank` is evaluated
    /// only if no slot is left for all users.
    func decide(user: UInt32, closing: Int = 0, rank: () -> Rank) -> Decision {
        if user != 0, count(of: user) + closing >= limits.connectionsPerUser {
            return .refuse(Limit(name: "connections of one user", maximum: limits.connectionsPerUser))
        }
        let hasMany = count(of: user) >= Self.many
        let unread = replaced.values.reduce(0, +)
        let free = limits.connections - total
        if free - (hasMany ? unread : 0) > reserve { return .admit }
        let rank = rank()
        switch rank {
        case .other: break
        case .trusted where free > min(Self.reservedForRoot, reserve / 4): return .admit
        case .root where free > 0: return .admit
        case .trusted, .root: break
        }
        // Only from a user that will have more than this one: otherwise two users would replace each other endlessly.
        let most = counts.keys.filter { $0.number != 0 }.map { replaceable($0) }.max() ?? 0
        let isLess = rank == .root ? most > 0 : most > replaceable(of: user) + 1
        let maximum = Self.replacements(connections: limits.connections) / (rank == .other && hasMany ? 2 : 1)
        if isLess, unread < maximum { return .replaceIdlest(count: most) }
        return .refuse(Limit(name: "connections", maximum: limits.connections))
    }

    /// Counts a connection of `user`.
    mutating func open(user: UInt32) {
        counts[ChargedUser(user), default: 0] += 1
        total += 1
    }

    /// Counts an unread refusal of `user`; returns false, and counts nothing, at a limit.
    mutating func openRefusal(user: UInt32) -> Bool {
        let user = ChargedUser(user)
        let count = unreadRefusals[user, default: 0]
        guard count < Self.refusalsPerUser, unreadRefusals.values.reduce(0, +) < Self.refusals else { return false }
        unreadRefusals[user] = count + 1
        return true
    }

    /// Counts one unread refusal of `user` less.
    mutating func closeRefusal(user: UInt32) {
        let user = ChargedUser(user)
        guard let count = unreadRefusals[user] else { return }
        unreadRefusals[user] = count > 1 ? count - 1 : nil
    }

    /// Counts one connection of `user` less.
    mutating func close(user: UInt32, isReplaced: Bool = false) {
        let user = ChargedUser(user)
        guard let count = counts[user] else { return }
        counts[user] = count > 1 ? count - 1 : nil
        guard isReplaced, let former = replaced[user] else { return total -= 1 }
        replaced[user] = former > 1 ? former - 1 : nil
    }

    /// Frees the slot of a connection of `user` that was replaced, but whose replies are unread: it counts for its user
    /// until ``close(user:isReplaced:)``.
    mutating func replace(user: UInt32) {
        replaced[ChargedUser(user), default: 0] += 1
        total -= 1
    }
}
