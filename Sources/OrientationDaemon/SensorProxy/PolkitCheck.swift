// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// Asks polkit whether a client on the bus may claim a sensor; nobody waits for the answer but the client.
struct PolkitCheck {
    /// The action, and the one that is asked for where polkit does not tell us about the first: it tells root alone about an
    /// action without an owner, as iio-sensor-proxy declares that one, and nobody where nobody has declared it. Where it does
    /// tell us, its no is the last word.
    static let actions = ["net.hadess.SensorProxy.claim-sensor", "org.orientationd.claim-sensor"]

    /// Seconds until no answer counts as a no: polkit may have to be started.
    static let timeout = 10.0

    private enum Failure {
        static let absent = [
            "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        ]
        /// The first comes where we may not ask, the second where the action is not known.
        static let unanswered = [
            "org.freedesktop.PolicyKit1.Error.NotAuthorized", "org.freedesktop.PolicyKit1.Error.Failed",
        ]
    }

    /// Unowned: what waits for an answer must not keep a connection that is given up.
    private unowned let bus: BusConnection
    private let client: String
    private let user: UInt32
    private let decided: @MainActor (_ refusal: String?) -> Void

    /// Asks for `client`, a name on `bus`, of `user`; `decided` receives why it may not, or nil.
    static func start(
        for client: String, of user: UInt32, on bus: BusConnection,
        decided: @escaping @MainActor (_ refusal: String?) -> Void
    ) {
        PolkitCheck(bus: bus, client: client, user: user, decided: decided).ask(actions[...])
    }

    private func ask(_ actions: ArraySlice<String>) {
        do throws(SystemError) {
            try bus.call(try newCall(actions.first ?? ""), timeout: Self.timeout) { reply in
                if let error = reply.error { return failed(error, then: actions.dropFirst()) }
                let isAllowed = reply.enterStructure("bba{ss}") && reply.readBoolean() == true
                decided(isAllowed ? nil : "Not authorized: only an active session may claim a sensor")
            }
        } catch {
            decided("Not authorized: \(error)")
        }
    }

    private func failed(_ error: (name: String, text: String), then rest: ArraySlice<String>) {
        if Failure.absent.contains(error.name) { return decided(refusalWithoutPolkit) }
        if Failure.unanswered.contains(error.name), !rest.isEmpty { return ask(rest) }
        decided("Not authorized: polkit does not answer: \(error.text)")
    }

    /// On a machine without polkit its default holds: a user with an active session at the device may claim, and root.
    private var refusalWithoutPolkit: String? {
        if user == 0 || LoginSessions.hasActiveSeat(user: user) { return nil }
        return "Not authorized: without polkit only root and users with an active session here may claim a sensor"
    }

    private func newCall(_ action: String) throws(SystemError) -> BusMessage {
        let call = try bus.newCall(
            to: "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
            "org.freedesktop.PolicyKit1.Authority", "CheckAuthorization")
        call.within("r", "sa{sv}") {
            call.append(.string("system-bus-name"))
            call.append([("name", .string(client))])
        }
        call.append(.string(action))
        call.within("a", "{ss}") {}
        // No dialogue: a screen that turns asks nobody for a password.
        call.append(.unsigned(0))
        call.append(.string(""))
        return call
    }
}
