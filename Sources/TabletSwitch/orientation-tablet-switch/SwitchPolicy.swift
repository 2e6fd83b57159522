// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Decides when the switch exists, and its position. Events in, effects out.
///
/// The keyboard does not work while the switch reports tablet: without a current answer of the daemon there is no switch.
/// libinput leaves the keyboard off if the switch disappears before it has read laptop: each removal waits.
struct SwitchPolicy {
    enum Event {
        /// The daemon's tablet mode; nil without a lid angle.
        case tabletMode(Bool?)
        /// The connection to the daemon is closed, for this reason.
        case disconnected(String)
        /// Another device, with this name, has a tablet switch.
        case otherSwitch(String)
        /// The wait that an ``Effect/wait`` started is over.
        case waited
        /// The program has to end, with this exit status.
        case ended(Int32)
    }

    enum Effect: Equatable {
        /// Create the device; its switch reports laptop.
        case create
        case set(Bool)
        /// Wait until compositors have read the switch.
        case wait
        case remove
        case log(String)
        case exit(Int32)
    }

    private enum Phase: Equatable {
        case absent
        case present(isTablet: Bool)
        /// The switch reports laptop and is removed after the wait; then the program exits if there is a status.
        case leaving(status: Int32?)
        case ended
    }

    private var phase: Phase
    /// The last reason of the absence: each is logged once.
    private var reason = ""

    /// `isPresent`: an earlier process has left the device, whose switch reports laptop.
    init(isPresent: Bool) { phase = isPresent ? .present(isTablet: false) : .absent }

    mutating func handle(_ event: Event) -> [Effect] {
        switch (phase, event) {
        case (.leaving(let status), .waited):
            phase = status == nil ? .absent : .ended
            return [.remove] + (status.map { [.exit($0)] } ?? [])
        case (.ended, _), (.leaving(status: _?), _), (_, .waited): return []
        case (_, .tabletMode(nil)): return leave("no lid angle is known: waiting for one")
        case (_, .disconnected(let reason)): return leave("\(reason): waiting for orientationd")
        case (_, .otherSwitch(let name)):
            return leave("\(name) has a tablet switch: no other one is needed", status: EXIT_SUCCESS)
        case (_, .ended(let status)): return leave(reason, status: status)
        case (.present(let former), .tabletMode(let isTablet?)):
            guard isTablet != former else { return [] }
            phase = .present(isTablet: isTablet)
            return [.set(isTablet), .log(isTablet ? "tablet" : "laptop")]
        case (_, .tabletMode(let isTablet?)):
            defer { (phase, reason) = (.present(isTablet: isTablet), "") }
            return (phase == .absent ? [.create] : [])
                + [.log("following the lid angle: \(isTablet ? "tablet" : "laptop")")]
                + (isTablet ? [.set(true)] : [])
        }
    }

    private mutating func leave(_ reason: String, status: Int32? = nil) -> [Effect] {
        let log: [Effect] = reason == self.reason ? [] : [.log(reason)]
        self.reason = reason
        if phase == .absent {
            guard let status else { return log }
            phase = .ended
            return log + [.exit(status)]
        }
        defer { phase = .leaving(status: status) }
        guard case .present(let isTablet) = phase else { return log }
        return (isTablet ? [.set(false)] : []) + [.wait] + log
    }
}
