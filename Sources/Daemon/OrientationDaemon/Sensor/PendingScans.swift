// SPDX-License-Identifier: Apache-2.0

/// The scans that a thread was requested to make and has not answered yet, at most one for each purpose.
struct PendingScans {
    private var purposes: [Int: ScanPurpose] = [:]
    private var last = 0
    /// The scans requested while one for the same purpose was pending: its result may be outdated.
    private var wantedAgain: Set<ScanPurpose> = []

    /// Returns the number of a new scan; nil if one for the purpose is pending, which another one then follows.
    mutating func begin(_ purpose: ScanPurpose) -> Int? {
        guard !purposes.values.contains(purpose) else {
            wantedAgain.insert(purpose)
            return nil
        }
        last += 1
        purposes[last] = purpose
        return last
    }

    /// Removes the scan with this number. Returns its purpose, and whether to scan again for it; nil if the scan has
    /// failed already.
    mutating func finish(_ request: Int) -> (purpose: ScanPurpose, again: Bool)? {
        guard let purpose = purposes.removeValue(forKey: request) else { return nil }
        return (purpose, wantedAgain.remove(purpose) != nil)
    }

    /// Removes the scan for a list, because the thread hangs and clients wait for the list. Returns whether there was one.
    /// The other scans stay pending: their results arrive when the hang ends, and are needed then.
    mutating func failListing() -> Bool {
        wantedAgain.remove(.listing)
        guard let request = purposes.first(where: { $0.value == .listing })?.key else { return false }
        purposes[request] = nil
        return true
    }
}
