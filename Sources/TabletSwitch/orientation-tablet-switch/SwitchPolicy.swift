// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Decides when the switch exists, and its position. Events in, effects out.
///
/// The keyboard does not work while the switch reports tablet: without a current answer of the daemon there is no switch.
struct SwitchPolicy {
    enum Event {
        /// The daemon's tablet mode; nil without a lid angle.
        case tabletMode(Bool?)
        /// The connection to the daemon is closed, for this reason.
        case disconnected(String)
        /// Another device, with this name, has a tablet switch.
        case otherSwitch(String)
        /// The program has to end, with this exit status.
        case ended(Int32)
    }

    enum Effect: Equatable {
        /// Create the device; its switch reports laptop.
        case create
        case set(Bool)
        /// Report laptop, wait until compositors have read it, and remove the device.
        case remove
        case log(String)
        case exit(Int32)
    }

    private enum Phase: Equatable {
        case absent
        case present(isTablet: Bool)
        case ended
    }

    private var phase = Phase.absent
    /// The last reason of the absence: each is logged once.
    private var reason = ""

    mutating func handle(_ event: Event) -> [Effect] {
        switch (phase, event) {
        case (.ended, _): return []
        case (_, .tabletMode(nil)): return leave("waiting for a lid angle: none is known")
        case (_, .disconnected(let reason)): return leave("waiting for orientationd: \(reason)")
        case (_, .otherSwitch(let name)):
            return leave("\(name) has a tablet switch: no other one is needed", status: EXIT_SUCCESS)
        case (_, .ended(let status)): return leave(reason, status: status)
        case (.present(let former), .tabletMode(let isTablet?)):
            guard isTablet != former else { return [] }
            phase = .present(isTablet: isTablet)
            return [.set(isTablet), .log("the switch reports \(isTablet ? "tablet" : "laptop")")]
        case (_, .tabletMode(let isTablet?)):
            (phase, reason) = (.present(isTablet: isTablet), "")
            return [.create, .log("following the lid angle: \(isTablet ? "tablet" : "laptop")")]
                + (isTablet ? [.set(true)] : [])
        }
    }

    private mutating func leave(_ reason: String, status: Int32? = nil) -> [Effect] {
        defer { (phase, self.reason) = (status == nil ? .absent : .ended, reason) }
        return (reason == self.reason ? [] : [.log(reason)]) + (phase == .absent ? [] : [.remove])
            + (status.map { [.exit($0)] } ?? [])
    }
}
