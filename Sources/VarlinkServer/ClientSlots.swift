// SPDX-License-Identifier: Apache-2.0

/// The connections of a ``ClientTable`` by ``ClientID/slot``: a value that assigns ids and reuses free slots.
struct ClientSlots {
    private var slots: ContiguousArray<ClientSession?> = []
    private var free: [Int] = []
    private var lastSerial = 0

    /// All sessions, in the order of their slots.
    var sessions: some Sequence<ClientSession> { slots.lazy.compactMap(\.self) }

    /// The session with this id, unless it has ended.
    subscript(id: ClientID) -> ClientSession? {
        guard let session = slots[id.slot], session.id == id, !session.isDraining else { return nil }
        return session
    }

    /// The session in a slot.
    subscript(slot slot: Int) -> ClientSession? { slots[slot] }

    /// Returns the id for a new connection; ``insert(_:)`` or ``release(_:)`` must follow.
    mutating func reserve() -> ClientID {
        lastSerial += 1
        if let slot = free.popLast() { return ClientID(slot: slot, serial: lastSerial) }
        slots.append(nil)
        return ClientID(slot: slots.count - 1, serial: lastSerial)
    }

    /// Adds the session of a reserved id.
    mutating func insert(_ session: ClientSession) { slots[session.id.slot] = session }

    /// Frees the slot of an id.
    mutating func release(_ id: ClientID) {
        slots[id.slot] = nil
        free.append(id.slot)
    }
}
