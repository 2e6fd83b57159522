// SPDX-License-Identifier: Apache-2.0

/// Decides when the switch exists, and its position. Events in, effects out.
///
/// The keyboard does not work while the switch says tablet: without a current answer of the daemon there is no switch.
struct SwitchPolicy {
    enum Event {
        /// The daemon's tablet mode; nil without a lid angle.
        case tabletMode(Bool?)
        /// The connection to the daemon is closed, for this reason.
        case disconnected(String)
        /// Another device, with this name, has a tablet switch.
        case otherSwitch(String)
        case ended
    }

    enum Effect: Equatable {
        /// Create the device; its switch says laptop.
        case create
        case set(Bool)
        case remove
        case log(String)
        case exit
    }

    private enum Phase: Equatable {
        case absent
        case present(isTablet: Bool)
        case ended
    }

    private var phase: Phase
    /// The last reason of the absence: each is logged once.
    private var reason = ""

    /// `isPresent`: an earlier process has left the device, whose switch says laptop.
    init(isPresent: Bool) { phase = isPresent ? .present(isTablet: false) : .absent }

    mutating func handle(_ event: Event) -> [Effect] {
        switch (phase, event) {
        case (.ended, _): return []
        case (_, .tabletMode(nil)): return remove("no lid angle is known: waiting for one")
        case (_, .disconnected(let reason)): return remove("\(reason): waiting for orientationd")
        case (_, .otherSwitch(let name)):
            defer { phase = .ended }
            return remove("\(name) has a tablet switch: no other one is needed") + [.exit]
        case (_, .ended):
            defer { phase = .ended }
            return phase == .absent ? [] : [.remove]
        case (.absent, .tabletMode(let isTablet?)):
            phase = .present(isTablet: isTablet)
            reason = ""
            return [.create, .log("following the lid angle: \(isTablet ? "tablet" : "laptop")")]
                + (isTablet ? [.set(true)] : [])
        case (.present(let former), .tabletMode(let isTablet?)):
            guard isTablet != former else { return [] }
            phase = .present(isTablet: isTablet)
            return [.set(isTablet), .log(isTablet ? "tablet" : "laptop")]
        }
    }

    private mutating func remove(_ reason: String) -> [Effect] {
        defer { (phase, self.reason) = (.absent, reason) }
        return (phase == .absent ? [] : [.remove]) + (reason == self.reason ? [] : [.log(reason)])
    }
}
