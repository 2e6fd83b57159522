// SPDX-License-Identifier: Apache-2.0

/// The claims on the accelerometer over D-Bus: calls in, actions out.
///
/// A client claims once, however often it calls; the claim ends when the client releases it or leaves the bus. The bus is
/// asked for the client's user, whose claims are limited, and then whether the client may claim. Its calls wait for the
/// first reading, so that the properties are current when it reads them. Before the reply the client is sent the current
/// values, since what it read before the claim may be outdated; from then on it is sent changes.
nonisolated struct ClaimTable<Call> {
    enum Action {
        /// Ask the bus for the client's user, and call ``identified(_:user:)``.
        case identify(String)
        /// Find out whether this client, of this user, may claim, and call ``decided(_:refusal:isKnown:)``.
        case ask(String, user: UInt32)
        /// Watch for this client to leave the bus, and call ``vanished(_:)``.
        case watch(String)
        case unwatch(String)
        /// Tell this client the current values.
        case tell(String)
        case answer(Call)
        case refuse(Call, Refusal)
    }

    /// Why a claim is refused.
    enum Refusal: Equatable {
        /// It may not, for this reason.
        case denied(String)
        /// There are too many, of what.
        case tooMany(String)
    }

    /// How many clients may claim, how many may be asked about, and how many may be identified, at a time. Each that claims
    /// takes a rule on the bus, which has room for 512 of one program's; a question goes on where its client does not.
    static var capacity: Int { 256 }
    /// How many of these are for root alone: its tools work whatever other users claim.
    static var reservedForRoot: Int { 16 }
    /// How many clients of one user may claim, root excepted: a session has its shell, and a few programs beside it.
    static var claimsPerUser: Int { 32 }
    /// How many calls of one client may wait for an answer at a time: libraries make one.
    static var callsPerClient: Int { 8 }

    private struct Claim {
        /// Nil until the bus has said.
        var user: UInt32?
        var isAllowed = false
        /// It was told the current values.
        var isListening = false
        var waiting: [Call] = []
    }

    private var claims: [String: Claim] = [:]
    /// The clients that are being identified, and those that were asked about, with their users; also those that have let
    /// go or vanished meanwhile.
    private var identifying: Set<String> = []
    private var asked: [String: UInt32] = [:]

    /// The clients that were told the current values, and are told what changes.
    var listeners: [String] { claims.filter(\.value.isListening).map(\.key) }

    /// Whether anybody holds a claim.
    var isHeld: Bool { claims.values.contains { $0.isAllowed } }

    /// Whether anybody waits for the first reading.
    var isAwaited: Bool { claims.values.contains { $0.isAllowed && !$0.waiting.isEmpty } }

    /// A client claims; `isKnown` says that there is nothing to wait for, neither here nor below.
    mutating func claim(by client: String, _ call: Call, isKnown: Bool) -> [Action] {
        guard let claim = claims[client] else {
            // One that lets go and claims again is not asked about again meanwhile.
            guard identifying.contains(client) || identifying.count < Self.capacity else {
                return [.refuse(call, .tooMany("clients"))]
            }
            claims[client] = Claim(waiting: [call])
            return identifying.insert(client).inserted ? [.identify(client)] : []
        }
        if claim.isListening, isKnown { return [.answer(call)] }
        guard claim.waiting.count < Self.callsPerClient else {
            return [.refuse(call, .tooMany("calls of one client"))]
        }
        claims[client]?.waiting.append(call)
        return []
    }

    /// The bus has told a client's user; nil where the client is not on the bus any more.
    mutating func identified(_ client: String, user: UInt32?) -> [Action] {
        identifying.remove(client)
        guard let claim = claims[client], claim.user == nil else { return [] }
        guard let user else {
            claims[client] = nil
            return []
        }
        if let limit = limitReached(by: user, client) {
            claims[client] = nil
            return claim.waiting.map { .refuse($0, .tooMany(limit)) }
        }
        claims[client]?.user = user
        return [.watch(client)] + (asked.updateValue(user, forKey: client) == nil ? [.ask(client, user: user)] : [])
    }

    /// What there is too much of for one more claim of `user`; nil where there is room. A client that was asked about takes
    /// a place for as long as the question lasts, also where it has left.
    private func limitReached(by user: UInt32, _ client: String) -> String? {
        var users = asked
        for (name, claim) in claims { if let user = claim.user { users[name] = user } }
        users[client] = nil
        if users.count >= (user == 0 ? Self.capacity : Self.capacity - Self.reservedForRoot) { return "clients" }
        if user != 0, users.count(where: { $0.value == user }) >= Self.claimsPerUser { return "clients of one user" }
        return nil
    }

    /// It is known whether a client may claim; nil says that it may.
    mutating func decided(_ client: String, refusal: String?, isKnown: Bool) -> [Action] {
        asked[client] = nil
        // It may have let go meanwhile.
        guard let claim = claims[client], claim.user != nil, !claim.isAllowed else { return [] }
        if let refusal {
            claims[client] = nil
            return [.unwatch(client)] + claim.waiting.map { .refuse($0, .denied(refusal)) }
        }
        claims[client]?.isAllowed = true
        return isKnown ? answerWaiting() : []
    }

    /// A client lets go; whoever claims nothing may do so too. What it still waits for is answered.
    mutating func release(by client: String) -> [Action] {
        guard let claim = claims.removeValue(forKey: client) else { return [] }
        return (claim.user == nil ? [] : [.unwatch(client)]) + claim.waiting.map { .answer($0) }
    }

    /// A client is not on the bus any more.
    mutating func vanished(_ client: String) -> [Action] {
        claims.removeValue(forKey: client) == nil ? [] : [.unwatch(client)]
    }

    /// There is a first reading, or no more time to wait for one.
    mutating func answerWaiting() -> [Action] {
        var actions: [Action] = []
        for (client, claim) in claims where claim.isAllowed {
            if !claim.isListening { actions.append(.tell(client)) }
            actions += claim.waiting.map { .answer($0) }
            claims[client] = Claim(user: claim.user, isAllowed: true, isListening: true)
        }
        return actions
    }

    /// Nobody reaches us any more by our name.
    mutating func removeAll() -> [Action] {
        defer { (claims, identifying, asked) = ([:], [], [:]) }
        return claims.flatMap { ($1.user == nil ? [] : [.unwatch($0)]) + $1.waiting.map { .answer($0) } }
    }
}

extension ClaimTable.Action: Equatable where Call: Equatable {}
