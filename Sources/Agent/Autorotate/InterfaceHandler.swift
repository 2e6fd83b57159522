// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import InterfaceRotation
internal import OrientationModel
internal import OrientationWire
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Interface`: the holds of the clients, and the calls that wait for the decision. State
/// without I/O.
///
/// A call changes the holds; ``publish(_:)`` replies when the policy has decided.
struct InterfaceHandler {
    enum Effect {
        case setHolds([Hold])
        case reply(ClientID, EncodedMessage, sequence: Int? = nil)
        case broadcast(EncodedMessage, sequence: Int, to: Set<ClientID>)
    }

    /// The hold of one connection.
    private struct Entry {
        var hold: Hold
        /// Whether the client receives changes.
        var isSubscriber: Bool
        /// Whether its call has no reply yet.
        var isPending = true
        /// Whether the client was notified that the hold is in force.
        var applies = false
    }

    private var entries: [ClientID: Entry] = [:]
    private var explaining: [ClientID] = []
    /// Numbers the holds.
    private var lastHold = 0
    /// Counts the changes that subscribers receive.
    private var sequence = 0
    private var published: Explanation?

    /// Whether a client waits for a decision, or receives changes.
    var needsExplanation: Bool { !explaining.isEmpty || !entries.isEmpty }

    mutating func handle(_ event: ClientEvent) -> [Effect] {
        switch event {
        case .call(let call, let caller): return answer(call, from: caller)
        case .left(let client):
            explaining.removeAll { $0 == client }
            return entries.removeValue(forKey: client) == nil ? [] : [holds]
        case .fellBehind: return []
        case .caughtUp(let client, let last):
            guard let entry = entries[client], entry.isSubscriber, !entry.isPending, let last, last < sequence,
                let published
            else { return [] }
            return [.broadcast(published.reply(to: entry.hold, continues: true), sequence: sequence, to: [client])]
        }
    }

    /// Handles a valid call.
    private mutating func answer(_ call: Call, from caller: Caller) -> [Effect] {
        let client = caller.client
        switch call.method {
        case SessionInterface.explain:
            explaining.append(client)
            return []
        case SessionInterface.hold:
            do throws(ErrorReply) {
                var hold = try Hold(call, id: lastHold + 1)
                hold.process = caller.process > 0 ? caller.process : nil
                lastHold += 1
                entries[client] = Entry(hold: hold, isSubscriber: call.mode == .more)
                return [holds]
            } catch {
                return [.reply(client, EncodedMessage(error: error))]
            }
        default: return [.reply(client, EncodedMessage(error: .methodNotImplemented(call.method)))]
        }
    }

    private var holds: Effect { .setHolds(entries.values.map(\.hold).sorted { $0.id < $1.id }) }

    /// Replies to the pending calls, and sends the subscribers what has changed for them.
    mutating func publish(_ explanation: Explanation) -> [Effect] {
        let isChanged = published.map { !$0.isSame(as: explanation) } ?? true
        if isChanged || published?.holds != explanation.holds { sequence += 1 }
        published = explanation
        var effects = explaining.map { Effect.reply($0, EncodedMessage(reply: explanation.reply)) }
        explaining = []
        for (client, entry) in entries {
            let applies = explanation.holds.contains(entry.hold.id)
            entries[client]?.applies = applies
            let message = explanation.reply(to: entry.hold, continues: entry.isSubscriber)
            if entry.isPending {
                entries[client]?.isPending = false
                effects.append(.reply(client, message, sequence: entry.isSubscriber ? sequence : nil))
            } else if entry.isSubscriber, isChanged || applies != entry.applies {
                effects.append(.broadcast(message, sequence: sequence, to: [client]))
            }
        }
        return effects
    }
}

extension Hold {
    /// Decodes the parameters of `Hold`.
    init(_ call: Call, id: Int) throws(ErrorReply) {
        let appID: String? = try call.optionalParameter("appId")
        let supported: [String] = try call.parameter("supported")
        let preferred: String? = try call.optionalParameter("preferred")
        let isLocked: Bool? = try call.optionalParameter("locked")
        if let appID, !SessionInterface.isValid(appID: appID) { throw .invalidParameter("appId") }
        guard !supported.isEmpty, let list = try? OrientationList(supported) else {
            throw .invalidParameter("supported")
        }
        let first = preferred.flatMap { try? OrientationList([$0]) }?.words.first
        self.init(id: id, appID: appID, supported: list, preferred: first, isLocked: isLocked ?? false)
        if preferred != nil, PanelShape.allCases.allSatisfy({ self.first(natural: $0.natural) == .unknown }) {
            throw .invalidParameter("preferred")
        }
    }
}

extension Explanation {
    /// Whether a subscriber of `Hold` reads the same in both.
    fileprivate func isSame(as other: Explanation) -> Bool {
        common == other.common
    }

    /// A reply of `Hold`.
    fileprivate func reply(to hold: Hold, continues: Bool) -> EncodedMessage {
        var json = common
        json["applies"] = .bool(holds.contains(hold.id))
        return EncodedMessage(reply: json, continues: continues)
    }

    private var common: JSONObject {
        var json: JSONObject = ["sentence": .string(sentence)]
        json["orientation"] = orientation.map { .string($0.description) }
        json["rotation"] = rotation.map { .integer(Int64($0)) }
        json["obstacle"] = obstacle.map { ["kind": .string($0.kind.rawValue), "reason": .string($0.reason)] }
        return json
    }

    /// The reply of `Explain`.
    var reply: JSONObject {
        var json = common
        json["output"] = output.map { .string($0) }
        if let window {
            var app: JSONObject = [:]
            app["appId"] = window.appID.map { .string($0) }
            app["desktopFile"] = desktopFile.map { .string($0) }
            app["declared"] = declared.map { list in .array(list.map { .string($0.description) }) }
            json["app"] = .object(app)
        }
        json["failure"] = failure.map { .string($0) }
        json["appsUnknown"] = appsUnknown.map { .string($0) }
        json["allowed"] = .array(allowed.orientations.map { .string($0.description) })
        json["answers"] = .array(answers.map { ["source": .string($0.source), "answer": .string($0.answer)] })
        return json
    }
}
