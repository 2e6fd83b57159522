// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Posix
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Display`: holds of orientations on desktops that rotate the display themselves.
///
/// A hold restricts what the SensorProxy service reports to the programs of its user. It is suspended while that user has no
/// active session at the device. Replies describe the service's ``Desktops``.
struct HoldHandler: CallHandler {
    let interface = DisplayInterface.name

    private struct Hold {
        let id: Int
        let user: UInt32
        let parameters: HoldParameters
        /// The name in sentences.
        let name: String
        /// The edge at the start: the preferred one until the device is turned; of a locked hold, until its end.
        var first: PanelEdge?

        func edges(natural: Edge) -> [PanelEdge] {
            first.map { [$0] } ?? parameters.supported.edges(natural: natural).map { PanelEdge($0, natural: natural) }
        }
    }

    private var holds: [ClientID: Hold] = [:]
    private var replies = ReplyTable()
    /// Numbers the holds.
    private var lastHold = 0
    /// Limits the changes of all clients, as of the rotation lock: each can turn the desktop.
    private var bucket = TokenBucket(burst: RotationLockKeeper.burst, interval: RotationLockKeeper.interval)
    /// Whether the last change waits for the timer of ``TimerID/holdChange``. Replies wait too: desktops have the former holds.
    private var isDelayed = false
    /// The clients that wait for a reply of `Explain`.
    private var explaining: [Caller] = []

    /// The edges that the holds of the users at the device allow, oldest hold first: of the last change that was made.
    private(set) var held: [UInt32: [HeldEdges]] = [:]
    private var isChangeRaised = false
    /// What the last replies describe; nil after a change, or a call of `Explain`.
    private var described: (state: OrientationState, desktops: Desktops)?

    func requirement(for call: Call) -> Authority.Requirement? { call.method == DisplayInterface.hold ? .seated : nil }

    enum Request {
        case hold(HoldParameters, isSubscriber: Bool)
        case explain
    }

    func decode(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Request {
        switch call.method {
        case DisplayInterface.hold: return .hold(try HoldParameters(taking: &call), isSubscriber: call.mode == .more)
        case DisplayInterface.explain: return .explain
        default: throw .methodNotImplemented(call.method)
        }
    }

    mutating func handle(_ request: Request, from caller: Caller, _ context: CallContext) -> [Effect] {
        guard case .hold(let parameters, let isSubscriber) = request else {
            explaining.append(caller)
            described = nil
            return []
        }
        let natural = context.state.assumedNatural
        var first = parameters.supported.first(parameters.preferred, natural: natural).map {
            PanelEdge($0, natural: natural)
        }
        if parameters.isLocked || first != nil {
            // What is kept depends on the device: a sensor that is off is started first.
            guard context.isReadingKnown else { return [.raise(.callNeedsReading(.hold(request), from: caller))] }
            let current = context.desktops.views[caller.user]?.shown ?? context.lastEdge ?? .top
            let edges = parameters.supported.edges(natural: natural).map { PanelEdge($0, natural: natural) }
            first = first ?? current.nearest(among: edges)
        }
        lastHold += 1
        let process = caller.process > 0 ? " (process \(caller.process))" : ""
        let hold = Hold(
            id: lastHold, user: caller.user, parameters: parameters, name: "hold \(lastHold)\(process)", first: first)
        holds[caller.client] = hold
        replies.add(caller.client, isSubscriber: isSubscriber)
        let text = "\(hold.name) of user \(hold.user) allows \(parameters.supported)"
        return [.log(.debug, text)] + requestChange(context.state, context.machine)
    }

    mutating func clientLeft(_ client: ClientID, _ state: OrientationState, _ machine: some Machine) -> [Effect] {
        replies.remove(client)
        explaining.removeAll { $0.client == client }
        guard let hold = holds.removeValue(forKey: client) else { return [] }
        let text = "\(hold.name) of user \(hold.user) has ended"
        return [.log(.debug, text)] + requestChange(state, machine)
    }

    func subscriberCaughtUp(_ client: ClientID, sequence: Int?) -> [Effect] {
        replies.caughtUp(client, sequence: sequence).map { .send($0) }
    }
}

// MARK: Changes

extension HoldHandler {
    /// Changes what desktops receive, now or when the timer of ``TimerID/holdChange`` fires.
    private mutating func requestChange(_ state: OrientationState, _ machine: any Machine) -> [Effect] {
        if bucket.take(at: machine.now) { return change(state, machine) }
        isDelayed = true
        return [.setTimer(.holdChange, after: bucket.wait(at: machine.now))]
    }

    /// Makes a delayed change, unless another event has made it since.
    mutating func timerFired(_ state: OrientationState, _ machine: any Machine) -> [Effect] {
        isDelayed ? requestChange(state, machine) : []
    }

    /// Drops the preferred edges when the device is turned.
    mutating func lastEdgeChanged(
        from old: PanelEdge?, to new: PanelEdge?, _ state: OrientationState, _ machine: some Machine
    ) -> [Effect] {
        let preferring = holds.filter { $1.first != nil && !$1.parameters.isLocked }.keys
        guard old != nil, new != old, !preferring.isEmpty else { return [] }
        for client in preferring { holds[client]?.first = nil }
        return change(state, machine)
    }

    /// Applies all holds at once, also after a change of sessions or of the natural orientation.
    mutating func change(_ state: OrientationState, _ machine: any Machine) -> [Effect] {
        (isDelayed, described) = (false, nil)
        let seated = Set(holds.values.map(\.user)).filter(machine.isSeated)
        held = [:]
        for hold in holds.values.sorted(by: { $0.id < $1.id }) where seated.contains(hold.user) {
            held[hold.user, default: []].append((hold.id, hold.edges(natural: state.assumedNatural)))
        }
        return [.watchSessions(!holds.isEmpty)]
    }

    /// Raises ``Event/desktopsChanged`` if the replies are outdated: once, because holds of calls that are queued together are
    /// answered with the effect of all of them.
    mutating func update(_ state: OrientationState, _ desktops: Desktops) -> [Effect] {
        let isDescribed = described.map { holds.isEmpty || $0 == (state, desktops) } ?? false
        guard !isDescribed, !isChangeRaised else { return [] }
        isChangeRaised = true
        return [.raise(.desktopsChanged)]
    }

    /// Replies to clients, and sends them what has changed: for the desktops of their users, or in the state of the device.
    mutating func publish(_ state: OrientationState, _ desktops: Desktops) -> [Effect] {
        (isChangeRaised, described) = (false, (state, desktops))
        guard !isDelayed else { return [] }
        let explained = explaining.map { Effect.reply($0.client, explanation(for: $0.user, state, desktops)) }
        explaining = []
        let handler = self
        let changed = replies.publish { client in
            handler.holds[client].map { handler.reply(to: $0, state, desktops) } ?? [:]
        }
        return explained + changed.map { .send($0) }
    }
}

// MARK: Replies

extension HoldHandler {
    /// A reply of `Hold`.
    private func reply(to hold: Hold, _ state: OrientationState, _ desktops: Desktops) -> JSONObject {
        let outcome = desktops.outcome(of: hold.id, by: hold.user)
        let supported = hold.parameters.supported
        let (effect, reason, obstacle): (String, String, ObstacleKind?) =
            switch outcome {
            case .suspended:
                ("The hold is suspended: ", "user \(hold.user) has no active session at this device", .output)
            case .notServed(let outage): ("The hold has no effect: ", outage.reason, outage.obstacle)
            case .noSensor: ("The hold has no effect: ", "no accelerometer was found", .noState)
            case .unclaimed:
                (
                    "The hold has no effect now: ",
                    "no desktop of user \(hold.user) follows the device; the desktop's rotation lock may be on, the device "
                        + "may be in laptop mode, or the desktop does not rotate the display", .output
                )
            case .outranked:
                ("The hold has no effect: ", "a later hold allows none of its orientations, \(supported)", nil)
            case .inForce(let device, let shown): ("", text(of: hold, device: device, shown: shown, state), nil)
            }
        var reply = Self.reply("\(effect)\(reason)", reason, obstacle)
        reply["applies"] = false
        if case .inForce = outcome { reply["applies"] = true }
        if let shown = outcome.shown {
            reply["orientation"] = .string(
                OrientationWord.interfaceName(of: Edge(shown, natural: state.assumedNatural)))
            reply["rotation"] = .integer(Int64(shown.rotation))
        }
        return reply
    }

    /// A reply with a sentence, which gets a full stop, and the reason in it if that is an obstacle.
    private static func reply(_ sentence: String, _ reason: String, _ obstacle: ObstacleKind?) -> JSONObject {
        var reply: JSONObject = ["sentence": .string("\(sentence).")]
        reply["obstacle"] = obstacle.map { ["kind": .string($0.rawValue), "reason": .string(reason)] }
        return reply
    }

    /// What a hold in force does, without a full stop.
    private func text(of hold: Hold, device: PanelEdge?, shown: PanelEdge, _ state: OrientationState) -> String {
        let words = { (edge: PanelEdge) in
            OrientationList(edges: [Edge(edge, natural: state.assumedNatural)]).description
        }
        let name = device.map(words) ?? "unknown"
        let effect =
            device == shown
            ? "The desktop receives the orientation of the device, \(name), which \(hold.name) allows"
            : "The desktop receives \(words(shown)) instead of \(name), the orientation of the device: \(hold.name) "
                + "allows \(hold.parameters.supported)"
        let laptop = state.tabletMode == false ? "the device is in laptop mode, and " : ""
        return "\(effect), for all windows until it ends; \(laptop)the desktop decides by its own settings whether it "
            + "rotates"
    }

    /// A reply of `Explain`.
    private func explanation(
        for user: UInt32, _ state: OrientationState, _ desktops: Desktops
    ) -> EncodedMessage {
        let holds = self.holds.values.filter { $0.user == user }.sorted { $0.id < $1.id }
        let none = "desktops receive the orientation of the device: no program of user \(user) holds another one"
        let reason = desktops.outage?.reason ?? none
        var reply =
            holds.last.map { self.reply(to: $0, state, desktops) }
            ?? Self.reply(reason.prefix(1).uppercased() + reason.dropFirst(), reason, desktops.outage?.obstacle)
        reply["applies"] = nil
        reply["appsUnknown"] =
            "the desktop does not report the app in front to orientationd: holds apply to all windows"
        reply["allowed"] = .array(
            (desktops.views[user]?.allowed ?? PanelEdge.allCases).map {
                .string(OrientationWord.interfaceName(of: Edge($0, natural: state.assumedNatural)))
            })
        reply["answers"] = .array(
            holds.map { ["source": .string($0.name), "answer": .string("\($0.parameters.supported)")] })
        return EncodedMessage(reply: reply)
    }
}
