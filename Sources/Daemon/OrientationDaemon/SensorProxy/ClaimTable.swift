// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// A client on the bus that claims a sensor.
struct Claimant: Hashable {
    let client: String
    let sensor: SensorKind
}

/// The claims on the sensors over D-Bus: events in, effects out.
///
/// A client has at most one claim on each sensor, which ends when the client releases it or leaves the bus. The table first
/// requests the client's user from the bus, because the claims per user are limited, and then authorizes the client. The
/// client's calls are answered after the first reading, when the properties are current. Before the first reply the client
/// is sent the current values, because those that it read before may be outdated; afterwards it is sent all changes.
struct ClaimTable {
    /// The limit of claims on all sensors, and of pending authorizations. 100: dbus-daemon permits 128 pending replies and
    /// 512 match rules per connection. An authorization stays pending even after its client has left.
    static let capacity = 100
    /// The part of the limit reserved for root, so that its tools work even if other users reach the limit.
    static let reservedForRoot = 16
    /// The limit of claims per user, except root: a session has its shell and a few other programs, which claim up to three
    /// sensors each.
    static let claimsPerUser = 32
    /// The limit of pending calls per claim: libraries make one.
    static let callsPerClient = 8

    private struct Claim {
        /// Nil until the bus has replied.
        var user: UInt32?
        var isAllowed = false
        /// Whether the client was sent the current values.
        var isSubscribed = false
        var waiting: [BusCallID] = []
    }

    private var claims: [Claimant: Claim] = [:]
    /// The clients with a pending identification, and those with a pending authorization with their users, including
    /// clients that have released the claim or left meanwhile.
    private var identifying: Set<Claimant> = []
    private var authorizing: [Claimant: UInt32] = [:]

    /// Returns the clients that are sent changes of a sensor.
    func subscribers(of sensor: SensorKind) -> [String] {
        claims.filter { $0.key.sensor == sensor && $0.value.isSubscribed }.map(\.key.client)
    }

    /// Returns the authorized clients that were not sent the current values of a sensor yet: send them before
    /// ``replyToWaiting(for:)``.
    func newcomers(to sensor: SensorKind) -> [Claimant] {
        claims.filter { $0.key.sensor == sensor && $0.value.isAllowed && !$0.value.isSubscribed }.map(\.key)
    }

    /// The user of a claimant; nil if unknown.
    func user(of claimant: Claimant) -> UInt32? { claims[claimant]?.user }

    /// Whether an authorized client of a user holds a claim on a sensor.
    func isHeld(_ sensor: SensorKind, by user: UInt32) -> Bool {
        claims.contains { $0.key.sensor == sensor && $0.value.isAllowed && $0.value.user == user }
    }

    /// Whether an authorized client holds a claim.
    var isHeld: Bool { claims.values.contains { $0.isAllowed } }

    /// Whether an authorized client holds a claim on a sensor.
    func isHeld(_ sensor: SensorKind) -> Bool { claims.contains { $0.key.sensor == sensor && $0.value.isAllowed } }

    /// Whether an authorized client waits for the first reading of a sensor.
    func isPending(_ sensor: SensorKind) -> Bool {
        claims.contains { $0.key.sensor == sensor && $0.value.isAllowed && !$0.value.waiting.isEmpty }
    }

    /// Handles a claim. `isKnown`: the value of the sensor is known, so that calls need not wait.
    mutating func claim(by client: Claimant, _ call: BusCallID, isKnown: Bool) -> [ClaimEffect] {
        guard let claim = claims[client] else {
            claims[client] = Claim(waiting: [call])
            // A client that releases and claims again is identified only once.
            return identifying.insert(client).inserted ? [.identify(client)] : []
        }
        if claim.isSubscribed, isKnown { return [.reply(call)] }
        guard claim.waiting.count < Self.callsPerClient else {
            return [.refuse(call, .tooMany("calls of one client"))]
        }
        claims[client]?.waiting.append(call)
        return []
    }

    /// Handles the bus's reply with a client's user, or the refusal of the claim without it.
    mutating func identified(_ client: Claimant, _ found: Result<UInt32, ClaimRefusal>) -> [ClaimEffect] {
        identifying.remove(client)
        guard let claim = claims[client], claim.user == nil else { return [] }
        let user: UInt32
        do throws(ClaimRefusal) {
            user = try found.get()
            if let limit = limitReached(by: user, client) { throw .tooMany(limit) }
        } catch {
            claims[client] = nil
            return claim.waiting.map { .refuse($0, error) }
        }
        claims[client]?.user = user
        let isNew = authorizing.updateValue(user, forKey: client) == nil
        return [.watch(client)] + (isNew ? [.authorize(client, user: user)] : [])
    }

    /// Returns what another claim of `user` would exceed; nil if it is within the limits. A pending authorization counts,
    /// even if its client has left. A user takes at most as many as remain for others: however many users take their
    /// share, the next one gets a share of the same size.
    private func limitReached(by user: UInt32, _ client: Claimant) -> String? {
        var users = authorizing
        for (name, claim) in claims { if let user = claim.user { users[name] = user } }
        users[client] = nil
        let free = Self.capacity - users.count - (user == 0 ? 0 : Self.reservedForRoot)
        if free <= 0 { return "clients" }
        let charged = ChargedUser(user)
        let share = min(Self.claimsPerUser, free)
        if user != 0, users.count(where: { ChargedUser($0.value) == charged }) >= share {
            return "clients of one user"
        }
        return nil
    }

    /// Handles the result of an authorization; nil permits the claim, whose calls ``replyToWaiting(for:)`` answers.
    mutating func decided(_ client: Claimant, refusal: String?) -> [ClaimEffect] {
        authorizing[client] = nil
        // The client may have released the claim meanwhile.
        guard let claim = claims[client], claim.user != nil, !claim.isAllowed else { return [] }
        if let refusal {
            claims[client] = nil
            return [.unwatch(client)] + claim.waiting.map { .refuse($0, .denied(refusal)) }
        }
        claims[client]?.isAllowed = true
        return []
    }

    /// Releases a claim and answers its pending calls. A release without a claim succeeds.
    mutating func release(by client: Claimant) -> [ClaimEffect] {
        guard let claim = claims.removeValue(forKey: client) else { return [] }
        return (claim.user == nil ? [] : [.unwatch(client)]) + claim.waiting.map { .reply($0) }
    }

    /// Removes the claim of a client that has left the bus, or that the bus does not watch.
    mutating func vanished(_ client: Claimant) -> [ClaimEffect] {
        guard let claim = claims.removeValue(forKey: client) else { return [] }
        let reason = "Not authorized: the client has left the bus"
        return [.unwatch(client)] + claim.waiting.map { .refuse($0, .denied(reason)) }
    }

    /// Answers the pending calls: the first reading of a sensor has arrived, or the timeout has passed.
    mutating func replyToWaiting(for sensor: SensorKind) -> [ClaimEffect] {
        var effects: [ClaimEffect] = []
        for (client, claim) in claims where client.sensor == sensor && claim.isAllowed {
            effects += claim.waiting.map { .reply($0) }
            claims[client] = Claim(user: claim.user, isAllowed: true, isSubscribed: true)
        }
        return effects
    }

    /// Ends all claims: the name or the connection was lost.
    mutating func removeAll() -> [ClaimEffect] {
        defer { (claims, identifying, authorizing) = ([:], [], [:]) }
        return claims.flatMap { ($1.user == nil ? [] : [.unwatch($0)]) + $1.waiting.map { .reply($0) } }
    }
}

/// Identifies a call on the bus until it is answered.
typealias BusCallID = Int

enum ClaimEffect: Equatable {
    /// Request the client's user from the bus; ``BusEvent/identified(_:_:)`` follows.
    case identify(Claimant)
    /// Check whether this client of this user may claim; ``BusEvent/authorized(_:refusal:)`` follows.
    case authorize(Claimant, user: UInt32)
    /// Report when this client leaves the bus, or cannot be watched; ``BusEvent/vanished(_:)`` follows.
    case watch(Claimant)
    case unwatch(Claimant)
    case reply(BusCallID)
    case refuse(BusCallID, ClaimRefusal)
}

/// Why a claim is refused.
enum ClaimRefusal: Error, Equatable {
    /// The client is not permitted to, for this reason.
    case denied(String)
    /// A limit is reached; the value names what is limited.
    case tooMany(String)

    /// The error on the bus.
    var error: (name: String, text: String) {
        switch self {
        case .denied(let reason): ("org.freedesktop.DBus.Error.AccessDenied", reason)
        case .tooMany(let what): ("org.freedesktop.DBus.Error.LimitsExceeded", "Too many \(what)")
        }
    }
}
