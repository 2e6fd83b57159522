// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// The switch of a convertible's hinge: many desktops turn only a tablet.
    static let tabletMode = Check("tabletMode") { facts in
        guard let state = facts.daemon.state else { return [] }
        switch state.tabletMode {
        case true?: return [.ok("the hinge's switch says tablet")]
        case false?:
            return [
                .note(
                    "the hinge's switch says laptop",
                    "Many desktops turn the screen only while the keyboard is folded away")
            ]
        case nil:
            guard let found = facts.tabletSwitches.first else { return [] }
            let seen = "\(found.node) (\(found.name)) has a tablet switch, which the daemon does not read"
            return [
                found.hasKeys
                    ? .note(seen, "The same node tells what is typed, which is no affair of an all-day service")
                    : .note(
                        seen, "Apps are not told when the device becomes a tablet",
                        mend: "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=input")
            ]
        }
    }
}
