// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// The notification of `--suggest`, at the session's server of `org.freedesktop.Notifications`: at most one.
///
/// Nothing of a reply but the number of the notification is used, and only signals of the server that shows it count.
final class SuggestionNotification {
    private let loop: EventLoop
    private let address: String
    private let systemAddress: String?
    private let report: (AutorotatePolicy.Event) -> Void
    /// Connected when the first suggestion is shown.
    private var bus: BusConnection?
    /// The signals of the server that shows the notification.
    private var signals: BusSlot?
    /// The system's bus, and the signal of logind that locks a session. Without logind nothing announces a lock.
    private var systemBus: BusConnection?
    private var locks: BusSlot?
    /// The notification, with the unique name of its server; nil without one.
    private var shown: (id: UInt32, server: String)?
    private var isWanted = false
    /// Whether a call to show it has no reply yet.
    private(set) var isPending = false

    private static let name = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications"
    /// The action that servers perform when the notification is tapped.
    private static let action = "default"
    /// The timeout of calls, in seconds: the bus may have to start the server.
    private static let timeout = 10.0

    init(environment: [String: String], on loop: EventLoop, report: @escaping (AutorotatePolicy.Event) -> Void) {
        self.loop = loop
        self.report = report
        address =
            environment["DBUS_SESSION_BUS_ADDRESS"]
            ?? "unix:path=\(environment["XDG_RUNTIME_DIR"] ?? "/nonexistent")/bus"
        systemAddress = environment["DBUS_SYSTEM_BUS_ADDRESS"]
    }

    /// Shows the notification, or shows it again.
    func show() {
        isWanted = true
        guard !isPending else { return }
        do throws(SystemError) { try notify() } catch { fail("\(error)") }
    }

    func withdraw() {
        isWanted = false
        if !isPending { close() }
    }

    private func notify() throws(SystemError) {
        if bus == nil { bus = try BusConnection(on: loop, address: address) { [unowned self] in lost() } }
        guard let bus else { return }
        let former = shown
        let call = try bus.newCall(to: former?.server ?? Self.name, Self.path, Self.name, "Notify")
        call.append(.string("orientation-autorotate"))
        call.append(.unsigned(former?.id ?? 0))
        for text in [
            "rotation-locked-symbolic", "Rotate the display?",
            "The rotation is locked. Tap to lock it as the device is held now.",
        ] { call.append(.string(text)) }
        call.within("a", "s") {
            for text in [Self.action, "Rotate"] { call.append(.string(text)) }
        }
        call.append([("transient", .boolean(true))])
        // The server's own timeout.
        call.append(.signed(-1))
        isPending = true
        try bus.call(call, timeout: Self.timeout) { [unowned self] reply in
            isPending = false
            let id = reply.error == nil ? reply.readUnsigned() : nil
            guard let id, let server = reply.sender else {
                shown = nil
                // The server that showed the former one has ended: its successor does not know it.
                if former != nil, isWanted { return show() }
                let reason = reply.error?.name ?? "invalid reply"
                return fail("\(Self.name): \(reason); start a notification server, such as mako")
            }
            showed(id, server)
        }
    }

    private func showed(_ id: UInt32, _ server: String) {
        let isSame = shown?.server == server
        shown = (id, server)
        do throws(SystemError) {
            if signals == nil || !isSame {
                signals = try bus?.watch(from: server, "path='\(Self.path)',interface='\(Self.name)'") {
                    [unowned self] in receive($0)
                }
            }
        } catch {
            fail("\(error)")
        }
        if !isWanted { close() }
        watchSessionLock()
    }

    /// Subscribes to the locks of sessions, of any: one that is another's withdraws the notification until the next edge.
    private func watchSessionLock() {
        guard systemBus == nil else { return }
        do throws(SystemError) {
            let bus = try BusConnection(on: loop, address: systemAddress) { [unowned self] in
                (systemBus, locks) = (nil, nil)
            }
            systemBus = bus
            let ping = try bus.newCall(
                to: "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.DBus.Peer", "Ping")
            try bus.call(ping, timeout: Self.timeout) { [unowned self] reply in
                guard reply.error == nil, let logind = reply.sender else { return }
                // Without the subscription a lock is not noticed, as without logind.
                locks = try? systemBus?.watch(
                    from: logind, "interface='org.freedesktop.login1.Session',member='Lock'"
                ) { [unowned self] signal in
                    if signal.error == nil, shown != nil { sessionLocked() }
                }
            }
        } catch {
            // As without logind; the next notification tries again.
            systemBus = nil
        }
    }

    private func sessionLocked() {
        withdraw()
        report(.suggestionAnswered(isAccepted: false))
    }

    private func receive(_ signal: borrowing BusMessage) {
        // The bus refuses the subscription: a tap would have no effect.
        if let error = signal.error {
            fail("subscribe on the bus: \(error.name)")
            return close()
        }
        guard let member = signal.member, let shown, signal.readUnsigned() == shown.id else { return }
        switch member {
        case "ActionInvoked":
            if signal.readString() == Self.action { report(.suggestionAnswered(isAccepted: true)) }
        case "NotificationClosed":
            self.shown = nil
            report(.suggestionAnswered(isAccepted: false))
        default: break
        }
    }

    private func close() {
        guard let bus, let shown else { return }
        self.shown = nil
        do throws(SystemError) {
            let call = try bus.newCall(to: shown.server, Self.path, Self.name, "CloseNotification")
            call.append(.unsigned(shown.id))
            // A server that has closed it already replies with an error.
            try bus.call(call, timeout: Self.timeout) { _ in }
        } catch {
            report(.suggestionFailed("\(error)"))
        }
    }

    private func lost() {
        let wasShown = shown != nil
        (bus, signals, shown) = (nil, nil, nil)
        if isPending {
            fail("the session bus closed the connection")
        } else if wasShown {
            report(.suggestionAnswered(isAccepted: false))
        }
    }

    private func fail(_ reason: String) {
        (isPending, isWanted) = (false, false)
        report(.suggestionFailed(reason))
    }
}
