// SPDX-License-Identifier: Apache-2.0

/// The sessions that follow something: in one row, since all of them are walked at every change; whoever leaves gives the
/// place to the last.
struct SubscriberList {
    private(set) var sessions: ContiguousArray<ClientSession> = []
    private var places: [Int: Int] = [:]

    var count: Int { sessions.count }
    var isEmpty: Bool { sessions.isEmpty }

    subscript(id: Int) -> ClientSession? { places[id].map { sessions[$0] } }

    mutating func insert(_ session: ClientSession) {
        guard places[session.id] == nil else { return }
        places[session.id] = sessions.count
        sessions.append(session)
    }

    /// Whether it was there.
    @discardableResult mutating func remove(_ id: Int) -> Bool {
        guard let place = places.removeValue(forKey: id) else { return false }
        let last = sessions.removeLast()
        if last.id != id {
            sessions[place] = last
            places[last.id] = place
        }
        return true
    }
}
