// SPDX-License-Identifier: Apache-2.0

internal import Posix
internal import Varlink

/// Counts connections by user, and decides which clients may connect. A range of subordinate users counts as one user
/// (``ChargedUser``).
///
/// The last slots are reserved for root, trusted clients and users with an active session, so that no number of other
/// users can exclude them.
struct ConnectionLimiter {
    /// The limit that `LimitReached` reports.
    struct Limit: Equatable {
        let name: String
        let maximum: Int
    }

    /// The reserved slots: for the programs of one session, a shell, the doctor and a few monitors. A table with few slots
    /// reserves a quarter.
    private static let reserved = 64
    /// The number of refused clients whose refusal is unread; others are refused without a message. 32: a client reads
    /// it at once.
    static let refusals = 32
    /// The number of unread refusals per user.
    static let refusalsPerUser = 8

    private let limits: Limits
    private var unreadRefusals: [ChargedUser: Int] = [:]
    private var counts: [ChargedUser: Int] = [:]
    private(set) var total = 0

    init(limits: Limits) {
        self.limits = limits
    }

    func count(of user: UInt32) -> Int { counts[ChargedUser(user), default: 0] }

    /// Returns the limit that a new connection of `user` exceeds, which has `closing` more that are not closed yet; nil if it
    /// exceeds none. `mayUseReserve` is evaluated only if no other slot is left.
    func limitReached(by user: UInt32, closing: Int = 0, mayUseReserve: () -> Bool) -> Limit? {
        if user != 0, count(of: user) + closing >= limits.connectionsPerUser {
            return Limit(name: "connections of one user", maximum: limits.connectionsPerUser)
        }
        let free = limits.connections - total
        if free > min(Self.reserved, limits.connections / 4) || free > 0 && mayUseReserve() { return nil }
        return Limit(name: "connections", maximum: limits.connections)
    }

    mutating func open(user: UInt32) {
        counts[ChargedUser(user), default: 0] += 1
        total += 1
    }

    /// Counts one connection of `user` less.
    mutating func close(user: UInt32) {
        let user = ChargedUser(user)
        guard let count = counts[user] else { return }
        counts[user] = count > 1 ? count - 1 : nil
        total -= 1
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
}

/// Why a client may not connect.
enum Refusal: CustomStringConvertible {
    case limit(ConnectionLimiter.Limit)
    /// Only these users may connect.
    case permission(String)

    /// The reason in the log.
    var description: String {
        switch self {
        case .limit(let limit): "at most \(limit.maximum) \(limit.name)"
        case .permission(let users): "only \(users) may connect"
        }
    }

    /// The error, which the interface declares.
    func reply(of interface: String) -> ErrorReply {
        switch self {
        case .limit(let limit): .limitReached(interface, limit.name, maximum: limit.maximum)
        case .permission(let users): .permissionDenied(interface, needs: users)
        }
    }
}
