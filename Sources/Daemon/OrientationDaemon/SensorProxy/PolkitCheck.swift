// SPDX-License-Identifier: Apache-2.0

internal import Systemd
internal import VarlinkServer

/// An asynchronous authorization by polkit: whether a client on the bus may claim a sensor.
struct PolkitCheck {
    /// The actions in the order in which they are checked. iio-sensor-proxy declares the first one without an owner, so that
    /// only root may check it; without iio-sensor-proxy it is not declared at all. In both cases the second one decides. A
    /// refusal of the first one is final.
    static let actions = ["net.hadess.SensorProxy.claim-sensor", "org.orientationd.claim-sensor"]

    /// The timeout in seconds, after which the claim is refused: polkit may have to be started.
    static let timeout = 10.0

    private enum Failure {
        static let absent = [
            "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
        ]
        /// The first is returned if the daemon may not check the action, the second if the action is not declared.
        static let unanswered = [
            "org.freedesktop.PolicyKit1.Error.NotAuthorized", "org.freedesktop.PolicyKit1.Error.Failed",
        ]
    }

    /// Unowned: a pending call must not keep a closed connection alive.
    private unowned let bus: BusConnection
    private let client: String
    private let user: UInt32
    private let decided: (_ refusal: String?) -> Void

    /// Checks `client`, a name on `bus`, of `user`; `decided` receives the reason of a refusal, or nil.
    static func start(
        for client: String, of user: UInt32, on bus: BusConnection,
        decided: @escaping (_ refusal: String?) -> Void
    ) {
        PolkitCheck(bus: bus, client: client, user: user, decided: decided).check(actions[...])
    }

    private func check(_ actions: ArraySlice<String>) {
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
        if Failure.unanswered.contains(error.name), !rest.isEmpty { return check(rest) }
        decided("Not authorized: polkit: \(error.text)")
    }

    /// Without polkit the action's default applies: root and users with an active session at the device may claim.
    private var refusalWithoutPolkit: String? {
        if user == 0 || LoginSessions.isActive(user: user) { return nil }
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
        // No flags: without AllowUserInteraction polkit shows no password dialog.
        call.append(.unsigned(0))
        call.append(.string(""))
        return call
    }
}
