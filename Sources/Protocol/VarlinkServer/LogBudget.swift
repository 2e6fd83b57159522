// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// Decides which of the log lines that users can provoke are written: a token bucket for each account
/// (``ChargedUser``), and one for all together, since one person can have many user IDs. Suppressed lines are counted.
///
/// Times are in seconds.
struct LogBudget {
    /// The burst of lines of one user: an administrator needs the first line of each kind.
    static let burst = 5
    /// The interval between further lines of one user, and between two summaries, in seconds.
    static let interval = 10.0
    /// The burst of lines of all users, and the interval between further lines, in seconds: at most 43,200 lines per
    /// day.
    static let totalBurst = 20
    static let totalInterval = 2.0
    /// The number of users with a bucket; lines of other users are suppressed.
    static let capacity = 256

    private var users: [ChargedUser: TokenBucket] = [:]
    private var total = TokenBucket(burst: totalBurst, interval: totalInterval)
    private var suppressed: [ChargedUser: Int] = [:]
    private var suppressedOfUnknown = 0

    /// Returns whether a line is written; `user` is nil if no single user caused it.
    mutating func take(for user: UInt32?, at now: Double) -> Bool {
        guard let user = user.map({ ChargedUser($0) }) else { return count(total.take(at: now), for: nil) }
        if users[user] == nil, users.count >= Self.capacity { forget(at: now) }
        guard users[user] != nil || users.count < Self.capacity else { return count(false, for: nil) }
        let mayWrite = users[user, default: TokenBucket(burst: Self.burst, interval: Self.interval)].take(at: now)
        return count(mayWrite && total.take(at: now), for: user)
    }

    /// Returns a summary of the suppressed lines and resets the counts; nil if there were none.
    mutating func summary() -> String? {
        let count = suppressed.values.reduce(suppressedOfUnknown, +)
        guard count > 0 else { return nil }
        let most = suppressed.max { ($0.value, $1.key.number) < ($1.value, $0.key.number) }
        (suppressed, suppressedOfUnknown) = ([:], 0)
        let lines = count == 1 ? "1 line" : "\(count) lines"
        return "suppressed \(lines) that clients caused" + (most.map { ", \($1) of user \($0.number)" } ?? "")
    }

    private mutating func count(_ isWritten: Bool, for user: ChargedUser?) -> Bool {
        if isWritten { return true }
        if let user { suppressed[user, default: 0] += 1 } else { suppressedOfUnknown += 1 }
        return false
    }

    /// Forgets the users whose buckets are full again.
    private mutating func forget(at now: Double) {
        for user in users.keys where users[user]?.isFull(at: now) == true { users[user] = nil }
    }
}
