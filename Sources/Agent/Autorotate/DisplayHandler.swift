// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationRules
internal import OrientationWire
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Display`: the holds of the clients, and the calls that wait for the decision. State
/// without I/O.
///
/// A call changes the holds; ``publish(_:)`` replies when the policy has decided.
struct DisplayHandler {
    private var holdsByClient: [ClientID: OrientationHold] = [:]
    private var replies = ReplyTable()
    private var explaining: [ClientID] = []
    private var lastHold = 0

    /// The holds, oldest first.
    var holds: [OrientationHold] { holdsByClient.values.sorted { $0.id < $1.id } }

    /// Whether a client waits for a decision, or receives changes.
    var needsExplanation: Bool { !explaining.isEmpty || !replies.isEmpty }

    mutating func handle(_ event: ClientEvent) -> [ReplyTable.Delivery] {
        switch event {
        case .call(let call, let caller):
            do throws(ErrorReply) {
                return try answer(call, from: caller)
            } catch {
                return [.reply(EncodedMessage(error: error), to: caller.client)]
            }
        case .left(let client):
            explaining.removeAll { $0 == client }
            replies.remove(client)
            holdsByClient[client] = nil
            return []
        case .fellBehind: return []
        case .caughtUp(let client, let last): return replies.caughtUp(client, sequence: last)
        }
    }

    private mutating func answer(_ call: Call, from caller: Caller) throws(ErrorReply) -> [ReplyTable.Delivery] {
        var call = call
        switch call.method {
        case DisplayInterface.explain:
            try call.refuseUnknownParameters()
            explaining.append(caller.client)
            return []
        case DisplayInterface.hold:
            let parameters = try HoldParameters(taking: &call)
            try call.refuseUnknownParameters()
            lastHold += 1
            var hold = OrientationHold(
                id: lastHold, appID: parameters.appID, supported: parameters.supported, preferred: parameters.preferred,
                isLocked: parameters.isLocked)
            hold.process = caller.process > 0 ? caller.process : nil
            holdsByClient[caller.client] = hold
            replies.add(caller.client, isSubscriber: call.mode == .more)
            return []
        default: throw .methodNotImplemented(call.method)
        }
    }

    /// Replies to the pending calls, and sends the subscribers what has changed for them.
    mutating func publish(_ explanation: Explanation) -> [ReplyTable.Delivery] {
        let explained = explaining.map { ReplyTable.Delivery.reply(EncodedMessage(reply: explanation.reply), to: $0) }
        explaining = []
        let (inForce, others) = (explanation.reply(isInForce: true), explanation.reply(isInForce: false))
        return explained
            + replies.publish { client in
                holdsByClient[client].map { explanation.holds.contains($0.id) } == true ? inForce : others
            }
    }
}

extension Explanation {
    /// A reply of `Hold`.
    fileprivate func reply(isInForce: Bool) -> JSONObject {
        var json = common
        json["applies"] = .bool(isInForce)
        return json
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
            app["undeclared"] = undeclared.map { .string($0) }
            json["app"] = .object(app)
        }
        json["failure"] = failure.map { .string($0) }
        json["appsUnknown"] = appsUnknown.map { .string($0) }
        json["allowed"] = .array(allowed.orientations.map { .string($0.description) })
        json["answers"] = .array(answers.map { ["source": .string($0.source), "answer": .string($0.answer)] })
        return json
    }
}
