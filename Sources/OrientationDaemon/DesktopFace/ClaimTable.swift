// SPDX-License-Identifier: Apache-2.0

/// Who claims the accelerometer over D-Bus: calls in, actions out.
///
/// A client claims once, however often it calls; its claim ends when it lets go or vanishes. It is asked first whether it
/// may; then its calls wait for the first reading, so that who reads the properties next finds it. Before these are
/// answered it is told the current values, for what it read before it claimed may be long past; from then on it is told what
/// changes.
nonisolated struct ClaimTable<Call> {
    enum Action {
        /// Find out whether this client may claim, and call ``decided(_:refusal:isKnown:)``.
        case ask(String)
        /// Hear when this client vanishes, and call ``vanished(_:)``.
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

    /// How many clients may claim, and how many may be asked about, at a time. Each that claims takes a rule on the bus, which
    /// has room for 512 of one program's; a question goes on where its client does not.
    static var capacity: Int { 256 }
    /// How many calls of one client may wait for an answer at a time: libraries make one.
    static var callsPerClient: Int { 8 }

    private struct Claim {
        var isAllowed = false
        /// It was told the current values.
        var isListening = false
        var waiting: [Call] = []
    }

    private var claims: [String: Claim] = [:]
    /// The clients that were asked about, also those that have let go or vanished meanwhile.
    private var asked: Set<String> = []

    /// The clients that were told the current values, and are told what changes.
    var listeners: [String] { claims.filter(\.value.isListening).map(\.key) }

    /// Whether anybody holds a claim.
    var isHeld: Bool { claims.values.contains { $0.isAllowed } }

    /// Whether anybody waits for the first reading.
    var isAwaited: Bool { claims.values.contains { $0.isAllowed && !$0.waiting.isEmpty } }

    /// A client claims; `isKnown` says that there is nothing to wait for, neither here nor below.
    mutating func claim(by client: String, _ call: Call, isKnown: Bool) -> [Action] {
        guard let claim = claims[client] else {
            guard max(claims.count, asked.count) < Self.capacity else { return [.refuse(call, .tooMany("clients"))] }
            claims[client] = Claim(waiting: [call])
            // Whoever lets go and claims again is not asked about again meanwhile.
            return [.watch(client)] + (asked.insert(client).inserted ? [.ask(client)] : [])
        }
        if claim.isListening, isKnown { return [.answer(call)] }
        guard claim.waiting.count < Self.callsPerClient else {
            return [.refuse(call, .tooMany("calls of one client"))]
        }
        claims[client]?.waiting.append(call)
        return []
    }

    /// It is known whether a client may claim; nil says that it may.
    mutating func decided(_ client: String, refusal: String?, isKnown: Bool) -> [Action] {
        asked.remove(client)
        // It may have let go meanwhile.
        guard let claim = claims[client], !claim.isAllowed else { return [] }
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
        return [.unwatch(client)] + claim.waiting.map { .answer($0) }
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
            claims[client] = Claim(isAllowed: true, isListening: true)
        }
        return actions
    }

    /// Nobody reaches us any more by our name.
    mutating func removeAll() -> [Action] {
        defer { (claims, asked) = ([:], []) }
        return claims.flatMap { [.unwatch($0)] + $1.waiting.map { .answer($0) } }
    }
}

extension ClaimTable.Action: Equatable where Call: Equatable {}
