// SPDX-License-Identifier: Apache-2.0

/// A well-known name on the bus, which another process may own or take over.
package final class BusName {
    package enum Ownership: Equatable {
        /// Owned: calls to the name reach this process.
        case owned
        /// Queued: another process owns the name; the bus transfers it on release.
        case queued
        /// Denied by the bus's policy, with its message.
        case denied(String)
        /// The bus did not reply, or not with the ownership.
        case failed(String)
    }

    private let name: String
    private unowned let bus: BusConnection
    private let changed: (Ownership) -> Void
    private var watch: BusSlot?
    private var ownership: Ownership?
    /// The number of releases by this process whose NameLost signal is still expected.
    private var expectedLosses = 0

    /// The timeout for calls to the bus, in seconds.
    private static let timeout = 25.0
    /// DBUS_NAME_FLAG_ALLOW_REPLACEMENT; without replacement the request is queued.
    private static let allowReplacement: UInt32 = 1

    /// The reply codes of RequestName and ReleaseName.
    private enum Answer {
        static let released: UInt32 = 1
        static let owned: UInt32 = 1
        static let queued: UInt32 = 2
        static let alreadyOwned: UInt32 = 4
    }

    /// Requests the name; `changed` receives each change of the ownership.
    package init(
        _ name: String, on bus: BusConnection, changed: @escaping (Ownership) -> Void
    ) throws(SystemError) {
        self.name = name
        self.bus = bus
        self.changed = changed
        watch = try bus.watch(from: BusConnection.driver, BusConnection.rule(about: name)) { [unowned self] message in
            receive(message.member)
        }
        try request()
    }

    /// Requests the name again after a denial.
    package func request() throws(SystemError) {
        let call = try bus.newDriverCall("RequestName", about: name)
        call.append(.unsigned(Self.allowReplacement))
        // Weak: the reply may arrive after this object was released.
        try bus.call(call, timeout: Self.timeout) { [weak self] reply in
            guard let self else { return }
            if let error = reply.error {
                let isDenied = error.name == "org.freedesktop.DBus.Error.AccessDenied"
                return set(isDenied ? .denied(error.text) : .failed(error.text))
            }
            switch reply.readUnsigned() {
            case Answer.owned, Answer.alreadyOwned: set(.owned)
            case Answer.queued: set(.queued)
            default: set(.failed("unknown reply from the bus"))
            }
        }
    }

    /// Releases and requests the name again: all watchers of the name see a new owner.
    package func reacquire() throws(SystemError) {
        guard ownership == .owned else { return }
        expectedLosses += 1
        try bus.call(try bus.newDriverCall("ReleaseName", about: name), timeout: Self.timeout) { [weak self] reply in
            // A release that failed has no NameLost; the one of a release precedes the reply.
            if let self, reply.error != nil || reply.readUnsigned() != Answer.released { expectedLosses = 0 }
        }
        try request()
    }

    private func receive(_ member: String?) {
        switch member {
        case "NameAcquired": set(.owned)
        case "NameLost" where expectedLosses > 0: expectedLosses -= 1
        case "NameLost" where ownership == .owned: set(.queued)
        default: break
        }
    }

    private func set(_ new: Ownership) {
        guard new != ownership else { return }
        ownership = new
        changed(new)
    }
}
