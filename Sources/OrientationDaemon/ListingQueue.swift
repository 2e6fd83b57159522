// SPDX-License-Identifier: Apache-2.0

/// Who waits for a list of the sensors: looking at them takes time, so that it is done once for all who asked before it
/// began, however many they are.
struct ListingQueue {
    private var current: [Int: ClientSession] = [:]
    private var next: [Int: ClientSession] = [:]
    private var isUnderWay = false

    /// Somebody asks; whether the sensors are to be looked at now.
    mutating func add(_ session: ClientSession) -> Bool {
        guard isUnderWay else {
            current[session.id] = session
            isUnderWay = true
            return true
        }
        next[session.id] = session
        return false
    }

    /// Somebody has gone.
    mutating func remove(_ id: Int) {
        current[id] = nil
        next[id] = nil
    }

    /// The sensors have been looked at: who is to be told, and whether they are to be looked at again, for those who asked
    /// meanwhile.
    mutating func finish() -> (answered: [ClientSession], isMore: Bool) {
        let answered = Array(current.values)
        current = next
        next = [:]
        isUnderWay = !current.isEmpty
        return (answered, isUnderWay)
    }
}
