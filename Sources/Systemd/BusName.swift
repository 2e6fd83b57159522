// SPDX-License-Identifier: Apache-2.0

/// A well-known name on the bus, which others may have already or take away.
package final class BusName {
    package enum Standing: Equatable {
        /// It is ours: whoever calls the name reaches us.
        case ours
        /// Another program has it; the bus gives it to us when that one lets go.
        case queued
        /// The bus does not give it to us, and this is what it says.
        case refused(String)
    }

    private let name: String
    private unowned let bus: BusConnection
    private let changed: @MainActor (Standing) -> Void
    private var watch: BusSlot?
    private var standing: Standing?
    /// How often we gave the name up to have it at once again, and were not told yet that it is lost.
    private var expectedLosses = 0

    /// Seconds after which a bus that does not answer is given up.
    private static let patience = 25.0
    /// Whoever starts with the wish to replace us may; else we stand in the queue.
    private static let allowReplacement: UInt32 = 1

    /// What the bus answers to a request.
    private enum Answer {
        static let ours: UInt32 = 1
        static let queued: UInt32 = 2
        static let alreadyOurs: UInt32 = 4
    }

    /// Asks for the name; `changed` hears how that stands, each time it changes.
    package init(
        _ name: String, on bus: BusConnection, changed: @escaping @MainActor (Standing) -> Void
    ) throws(SystemError) {
        self.name = name
        self.bus = bus
        self.changed = changed
        watch = try bus.watch(
            "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
                + "interface='org.freedesktop.DBus',arg0='\(name)'"
        ) { [unowned self] message in hear(message.member) }
        try request()
    }

    /// Asks once more, where it was refused.
    package func request() throws(SystemError) {
        let call = try newCall("RequestName")
        call.append(.unsigned(Self.allowReplacement))
        try bus.call(call, patience: Self.patience) { [unowned self] reply in
            if let error = reply.error { return set(.refused(error.text)) }
            switch reply.readUnsigned() {
            case Answer.ours, Answer.alreadyOurs: set(.ours)
            case Answer.queued: set(.queued)
            default: set(.refused("the bus gives an answer that is not known"))
            }
        }
    }

    /// Gives the name up and takes it again, so that all who watch it look anew.
    package func appearAnew() throws(SystemError) {
        guard standing == .ours else { return }
        expectedLosses += 1
        try bus.call(try newCall("ReleaseName"), patience: Self.patience) { _ in }
        try request()
    }

    private func newCall(_ member: String) throws(SystemError) -> BusMessage {
        let call = try bus.newCall(
            to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
        call.append(.string(name))
        return call
    }

    private func hear(_ member: String?) {
        switch member {
        case "NameAcquired": set(.ours)
        case "NameLost" where expectedLosses > 0: expectedLosses -= 1
        case "NameLost" where standing == .ours: set(.queued)
        default: break
        }
    }

    private func set(_ new: Standing) {
        guard new != standing else { return }
        standing = new
        changed(new)
    }
}
